/** The number and the date that a paper gives itself: in its title, at labels that name its kind, at the head of a letter. */

import { type AskedField, readAskedFields } from "../labels/asked-fields.ts";
import { inTitle } from "../labels/document-title.ts";
import { labelTerms } from "../labels/label-scores.ts";
import type { DocumentView } from "./document-view.ts";
import { byScore, type Candidate, findCandidates, type LabelledValue, scored } from "./find-candidates.ts";
import { asksForSigning, signingDates } from "./signing-dates.ts";

const titleScore = 0.8;
const titleBonus = 1.2;
/** A label that names the paper's kind says as much as one that names the question. */
const ofKind = 0.85;
/** On a credit note the number and the date of "the invoice" are those of an earlier paper. */
const ofEarlier = 0.4;
const yours = 0.3;
const placeAndDate = 0.55;
const bareDate = 0.4;
const minScore = 0.3;

const isOwn = (query: AskedField, key: "invoice_number" | "issue_date"): boolean => query.concept?.key === key;

/** Candidates for a number, those that the paper states of itself in front. */
export function ownNumbers(query: AskedField, candidates: readonly Candidate[], view: DocumentView): Candidate[] {
  if (!isOwn(query, "invoice_number")) return [...candidates];
  const all = [...candidates, ...titled(query, view), ...labelledAsKind(query, view, "number")];
  return preferTitle(all, view).map((candidate) => discounted(candidate, view));
}

/** Candidates for a date; without a label the date at the head of a letter, or else the first of the document. */
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

/** The number in the title is the paper's own, whatever the paper is called, if the query can mean that kind of paper. */
function titled(query: AskedField, view: DocumentView): Candidate[] {
  const { title } = view;
  if (!title || !kindsMeant(query, view).some((kind) => title.families.has(kind))) return [];
  return view
    .places("code")
    .filter((place) => inTitle(title, place.run))
    .map((place) => ({ ...scored(query, place), score: titleScore * place.found.quality }));
}

/** "Delivery note no." on a delivery note, "Order date" on an order. */
function labelledAsKind(query: AskedField, view: DocumentView, what: "number" | "date"): Candidate[] {
  const kinds = what === "number" ? kindsMeant(query, view) : [...view.paper];
  return kinds.flatMap((kind) => {
    const own = kindQueries[what].get(kind);
    return own
      ? findCandidates(own, view.places).map((candidate) => ({ ...candidate, score: candidate.score * ofKind }))
      : [];
  });
}

const kindsMeant = (query: AskedField, { paper }: DocumentView): string[] =>
  [...paper].filter((kind) => query.means.has(`${kind}_number`));

const kindQueries = {
  number: queriesOf("number", "text"),
  date: queriesOf("date", "date"),
};

function queriesOf(what: string, format: "text" | "date"): Map<string, AskedField> {
  const kinds = ["order", "delivery", "offer", "contract"];
  const queries = readAskedFields(kinds.map((kind) => ({ name: `${kind} ${what}`, format, description: "" })));
  return new Map(queries.map((query, at) => [kinds[at] ?? "", query]));
}

/** What the title states comes before what any other place does. */
function preferTitle(candidates: readonly Candidate[], { title }: DocumentView): Candidate[] {
  if (!title) return [...candidates];
  return candidates
    .map((candidate) =>
      inTitle(title, candidate.run) ? { ...candidate, score: candidate.score * titleBonus } : candidate,
    )
    .sort(byScore);
}

const addressed = /(?<!\p{L})(?:ihre?|your|vos|votre|uw|su|vostr[oa]|customer|kunden?|client|buyer'?s)(?!\p{L})/iu;

/** Less for the number of the other side's paper, and on a credit note for the invoice that it corrects. */
function discounted(candidate: Candidate, view: DocumentView): Candidate {
  const label = labelOf(candidate, view);
  const families = new Set(labelTerms(label).flatMap((term) => term.texts));
  const earlier = view.paper.has("credit") && !view.paper.has("invoice") && families.has("invoice");
  const factor = (earlier && !families.has("credit") ? ofEarlier : 1) * (addressed.test(label) ? yours : 1);
  return factor === 1 ? candidate : { ...candidate, score: candidate.score * factor };
}

/** The words before the value, or the run to the left. */
function labelOf({ run, start, page }: Candidate, view: DocumentView): string {
  const before = run.text.slice(0, start).trim();
  return before || (view.layout.pages[page]?.rows[run.row]?.[run.column - 1]?.text ?? "");
}

const place = /^\p{Lu}[\p{L}'’ .-]{1,40},? (?:den|am|le|the|li|il|a|,)? ?$/iu;

/** "Köln, den 3. April 2026": town and date, as letters have it. */
function lettersDates(query: AskedField, view: DocumentView): Candidate[] {
  return view
    .places("date")
    .filter(({ run, found }) => isLettersDate(run.text, found.start, found.end))
    .map((dated) => ({ ...scored(query, dated), score: placeAndDate }));
}

/** "Fait à Nantes, le 6 janvier": where and when a paper was made out; the sentence may go on. */
const made = /^(?:fait|établi|done|given|fatto|hecho|gegeben|ausgestellt|opgemaakt) (?:à|at|in|a|en|zu|te) \p{Lu}/iu;

const isLettersDate = (text: string, start: number, end: number): boolean =>
  (made.test(text) && start < maxMadeLength) || lettersHead(text, start, end);

const maxMadeLength = 60;

const lettersHead = (text: string, start: number, end: number): boolean =>
  /,/.test(text.slice(0, start)) && place.test(text.slice(0, start)) && /^[.,\s]*$/.test(text.slice(end));

function bareDates(query: AskedField, view: DocumentView): Candidate[] {
  const bare = view.places("date").filter((dated) => dated.run.page === 0 && !isOthers(dated));
  return bare.slice(0, 3).map((dated, at) => ({ ...scored(query, dated), score: bareDate - 0.05 * at }));
}

const isOthers = (dated: LabelledValue): boolean =>
  dated.contexts.some((context) => context.factor > 0.85 && hasRival(context.text));
const hasRival = (label: string): boolean => dateRivals.some((query) => query.score(label) > 0.5);
const dateRivals = readAskedFields(
  ["due date", "delivery date", "period start", "period end"].map((name) => ({
    name,
    format: "date" as const,
    description: "",
  })),
);
