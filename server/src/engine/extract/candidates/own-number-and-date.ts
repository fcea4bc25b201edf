/**
 * Finds the number and the date of the document itself, not those of other documents that it
 * mentions. They are in the title, next to labels that name the document kind, or at the head of a
 * letter.
 */

import { type AskedField, readAskedFields } from "../labels/asked-fields.ts";
import { inTitle } from "../labels/document-title.ts";
import { labelTerms } from "../labels/label-scores.ts";
import type { DocumentView } from "./document-view.ts";
import { byScore, type Candidate, findCandidates, type LabelledValue, scored } from "./find-candidates.ts";
import { asksForSigning, signingDates } from "./signing-dates.ts";

/** Score of a number in the title. Chosen by hand, 2026-11. */
const titleScore = 0.8;
/** Factor for values in the title. Chosen by hand, 2026-11. */
const titleBonus = 1.2;
/**
 * Factor for a label that names the document kind and not the field, such as "Order date" for the
 * issue date. Chosen by hand, 2026-11.
 */
const ofKind = 0.85;
/**
 * Factor for invoice labels on a credit note. They refer to the invoice that the credit note
 * corrects. Chosen by hand, 2026-11.
 */
const ofEarlier = 0.4;
/**
 * Factor for labels such as "Your order no.". They refer to a document of the other party. Chosen
 * by hand, 2026-11.
 */
const yours = 0.3;
/**
 * Score of a date after the name of a town, as in "Köln, den 3. April 2026". Chosen by hand,
 * 2026-11.
 */
const placeAndDate = 0.55;
/** Score of the first date without a label. Chosen by hand, 2026-11. */
const bareDate = 0.4;
/** Reduction of the score for each further date without a label. Chosen by hand, 2026-11. */
const laterDate = 0.05;
/**
 * A date belongs to another field, such as the due date, if a label is near enough to the date
 * (`nearLabel`) and names that field well enough (`minRival`). Chosen by hand, 2026-11.
 */
const nearLabel = 0.85;
const minRival = 0.5;
/**
 * Minimum score of the best labelled date. Below it, dates without a label are used instead. Chosen
 * by hand, 2026-11.
 */
const minScore = 0.3;

const isOwn = (query: AskedField, key: "invoice_number" | "issue_date"): boolean => query.concept?.key === key;

/** Returns the candidates, and adds the numbers that identify the document itself. */
export function ownNumbers(query: AskedField, candidates: readonly Candidate[], view: DocumentView): Candidate[] {
  if (!isOwn(query, "invoice_number")) return [...candidates];
  const all = [...candidates, ...titled(query, view), ...labelledAsKind(query, view, "number")];
  return preferTitle(all, view).map((candidate) => discounted(candidate, view));
}

/**
 * Returns candidates for a date. If no date is labelled, uses the date at the head of a letter, or
 * else the first dates of the document.
 */
export function ownDates(query: AskedField, view: DocumentView): Candidate[] {
  const candidates = findCandidates(query, view.places);
  if (asksForSigning(query)) return [...candidates, ...signingDates(query, view)].sort(byScore);
  if (!isOwn(query, "issue_date")) return candidates;
  const labelled = preferTitle([...candidates, ...labelledAsKind(query, view, "date")], view)
    .map((candidate) => discounted(candidate, view))
    .concat(lettersDates(query, view))
    .sort(byScore);
  return (labelled[0]?.score ?? 0) >= minScore ? labelled : bareDates(query, view);
}

/**
 * Returns the numbers in the title if the title names a document kind whose number the field may
 * ask for. Such a number identifies the document, whatever its kind is called.
 */
function titled(query: AskedField, view: DocumentView): Candidate[] {
  const { title } = view;
  if (!title || !kindsMeant(query, view).some((kind) => title.families.has(kind))) return [];
  return view
    .places("code")
    .filter((place) => inTitle(title, place.run))
    .map((place) => ({ ...scored(query, place), score: titleScore * place.found.quality }));
}

/** Returns candidates whose labels name the document's kind, such as "Order date" on an order. */
function labelledAsKind(query: AskedField, view: DocumentView, what: "number" | "date"): Candidate[] {
  const kinds = what === "number" ? kindsMeant(query, view) : [...view.documentFamilies];
  return kinds.flatMap((kind) => {
    const own = kindQueries[what].get(kind);
    return own
      ? findCandidates(own, view.places).map((candidate) => ({ ...candidate, score: candidate.score * ofKind }))
      : [];
  });
}

const kindsMeant = (query: AskedField, { documentFamilies }: DocumentView): string[] =>
  [...documentFamilies].filter((kind) => query.means.has(`${kind}_number`));

const kindQueries = {
  number: queriesOf("number", "text"),
  date: queriesOf("date", "date"),
};

function queriesOf(what: string, format: "text" | "date"): Map<string, AskedField> {
  const kinds = ["order", "delivery", "offer", "contract"];
  const queries = readAskedFields(kinds.map((kind) => ({ name: `${kind} ${what}`, format, description: "" })));
  return new Map(queries.map((query, at) => [kinds[at] ?? "", query]));
}

/** Raises the score of values in the title. */
function preferTitle(candidates: readonly Candidate[], { title }: DocumentView): Candidate[] {
  if (!title) return [...candidates];
  return candidates
    .map((candidate) =>
      inTitle(title, candidate.run) ? { ...candidate, score: candidate.score * titleBonus } : candidate,
    )
    .sort(byScore);
}

const addressed = /(?<!\p{L})(?:ihre?|your|vos|votre|uw|su|vostr[oa]|customer|kunden?|client|buyer'?s)(?!\p{L})/iu;

/**
 * Lowers the score of numbers that belong to the other party's documents. On a credit note, also
 * lowers the score of the number of the corrected invoice.
 */
function discounted(candidate: Candidate, view: DocumentView): Candidate {
  const label = labelOf(candidate, view);
  const families = new Set(labelTerms(label).flatMap((term) => term.texts));
  const earlier =
    view.documentFamilies.has("credit") && !view.documentFamilies.has("invoice") && families.has("invoice");
  const factor = (earlier && !families.has("credit") ? ofEarlier : 1) * (addressed.test(label) ? yours : 1);
  return factor === 1 ? candidate : { ...candidate, score: candidate.score * factor };
}

/**
 * Returns the words before the value in its text run. If there are none, returns the run to the
 * left.
 */
function labelOf({ run, start, page }: Candidate, view: DocumentView): string {
  const before = run.text.slice(0, start).trim();
  return before || (view.layout.pages[page]?.rows[run.row]?.[run.column - 1]?.text ?? "");
}

const place = /^\p{Lu}[\p{L}'’ .-]{1,40},? (?:den|am|le|the|li|il|a|,)? ?$/iu;

/** Returns dates that follow a town, as in letters: "Köln, den 3. April 2026". */
function lettersDates(query: AskedField, view: DocumentView): Candidate[] {
  return view
    .places("date")
    .filter(({ run, found }) => isLettersDate(run.text, found.start, found.end))
    .map((dated) => ({ ...scored(query, dated), score: placeAndDate }));
}

/**
 * Matches a line that begins with the place of issue, as in "Fait à Nantes, le 6 janvier". Text may
 * follow the date.
 */
const made = /^(?:fait|établi|done|given|fatto|hecho|gegeben|ausgestellt|opgemaakt) (?:à|at|in|a|en|zu|te) \p{Lu}/iu;

const isLettersDate = (text: string, start: number, end: number): boolean =>
  (made.test(text) && start < maxMadeLength) || lettersHead(text, start, end);

/**
 * Maximum offset of a date on a line that begins with a place of issue, in UTF-16 units. Chosen by
 * hand, 2026-11.
 */
const maxMadeLength = 60;

const lettersHead = (text: string, start: number, end: number): boolean =>
  /,/.test(text.slice(0, start)) && place.test(text.slice(0, start)) && /^[.,\s]*$/.test(text.slice(end));

function bareDates(query: AskedField, view: DocumentView): Candidate[] {
  const bare = view.places("date").filter((dated) => dated.run.page === 0 && !isOthers(dated));
  return bare.slice(0, 3).map((dated, at) => ({ ...scored(query, dated), score: bareDate - laterDate * at }));
}

const isOthers = (dated: LabelledValue): boolean =>
  dated.contexts.some((context) => context.factor > nearLabel && hasRival(context.text));
const hasRival = (label: string): boolean => dateRivals.some((query) => query.score(label) > minRival);
const dateRivals = readAskedFields(
  ["due date", "delivery date", "period start", "period end"].map((name) => ({
    name,
    format: "date" as const,
    description: "",
  })),
);
