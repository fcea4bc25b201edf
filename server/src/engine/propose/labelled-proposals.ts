/**
 * Proposes fields for values that have a printed label: values with a recognizable format (such as
 * dates), checkboxes, and texts.
 */
import type { ParamFormat } from "@sheaf/contract/params.ts";
import type { LeafValue, Proposal } from "../engine.ts";
import { hasLegalForm, isProse } from "../extract/candidates/names.ts";
import { type LabelScorer, makeScorer, phrasesOf } from "../extract/labels/label-scores.ts";
import type { PartyView } from "../extract/parties/party-view.ts";
import { poolOf } from "../extract/ranking/pool.ts";
import type { PoolValue } from "../extract/ranking/pool-value.ts";
import concepts, { type ValueKind } from "../lexicon/all-concepts.ts";
import { endsAsLabel, runBelow } from "../page/label-value-pairs.ts";
import { makeEvidence } from "../page/make-evidence.ts";
import { type RunSpan, spanText } from "../page/run-spans.ts";
import { type TextRun, wordsBetween } from "../page/text-runs.ts";
import { isAddressLine, isStreetLine } from "../values/address-lines.ts";
import type { ClaimedWords } from "./claimed-words.ts";
import { plainLabel, snakeCase } from "./field-names.ts";

/** A labelled value before it becomes a proposal. */
interface Found {
  label: string;
  format: Exclude<ParamFormat, "list">;
  value: LeafValue;
  run: TextRun;
  words: readonly number[];
  inferred: boolean;
  usefulness: number;
}

/**
 * Minimum factor of a label. The factor rates the label's position relative to the value. Chosen by
 * hand, 2026-11.
 */
const minFactor = 0.75;
/** Maximum length of a label, in characters. Chosen by hand, 2026-11. */
const maxLabel = 60;
/** Maximum number of words of a label. Chosen by hand, 2026-11. */
const maxLabelWords = 8;
/** Maximum length of a text value, in characters. Chosen by hand, 2026-11. */
const maxText = 160;

/** Returns proposals whose words are all unclaimed, and claims these words. */
export function labelledProposals(view: PartyView, claimed: ClaimedWords): Proposal[] {
  // Values with a recognizable format come first. Otherwise, a longer text that contains such a
  // value would claim its words.
  const found = [typedValues(view), ticked(view), texts(view)].flatMap((all) =>
    [...all].sort((a, b) => b.usefulness - a.usefulness),
  );
  const proposals: Proposal[] = [];
  const repeated = repeatedLabels(found);
  for (const each of found) {
    if (repeated.has(labelKey(each))) continue;
    if (each.words.length === 0 || claimed.has(each.run.page, each.words)) continue;
    const proposal = proposalOf(view, each);
    if (!proposal) continue;
    claimed.add(each.run.page, each.words);
    proposals.push(proposal);
  }
  return proposals;
}

/**
 * If at least this many values have the same label, the label is a column heading. Chosen by hand,
 * 2026-11.
 */
const ofColumn = 3;
const labelKey = ({ label, format }: Found): string => `${format} ${plainLabel(label).toLowerCase()}`;

function repeatedLabels(found: readonly Found[]): Set<string> {
  const runs = Map.groupBy(found, labelKey);
  return new Set([...runs].flatMap(([key, all]) => (new Set(all.map(({ run }) => run)).size >= ofColumn ? [key] : [])));
}

function proposalOf(view: PartyView, found: Found): Proposal | undefined {
  const { label, format, value, run, words, inferred, usefulness } = found;
  const page = view.layout.pages[run.page]?.page;
  const plain = plainLabel(label);
  const name = conceptName(plain, format) ?? snakeCase(plain);
  const evidence = page && makeEvidence(page, words, value, usefulness, inferred);
  if (name === undefined || !evidence) return undefined;
  return { param: { name, format, description: plain }, label: plain, usefulness, value, evidence };
}

/**
 * Usefulness (0 to 1) of a proposed field, by the kind of its value. Chosen by hand on our own
 * documents, 2026-11.
 */
const worth = { date: 0.8, money: 0.78, code: 0.72, number: 0.6, boolean: 0.7, text: 0.66 };
/** Factor for a value whose label is in the same sentence. Chosen by hand, 2026-11. */
const unmarked = 0.8;
/**
 * Factor for contact details such as phone numbers, which are often in the page foot. Chosen by
 * hand, 2026-11.
 */
const ofContact = 0.45;

function* typedValues(view: PartyView): Generator<Found> {
  const pool = poolOf(view);
  for (const value of pool.date()) yield* withLabel(value, "date", worth.date);
  for (const value of pool.number())
    yield* withLabel(value, "number", value.kind === "money" ? worth.money : worth.number);
}

function* withLabel(value: PoolValue, format: "date" | "number", usefulness: number): Generator<Found> {
  const { run, words, match, quality } = value;
  if (format === "number" && value.kind !== "money" && isInAddress(run)) return;
  const found = { format, value: value.value, run, words, inferred: match === "inferred" };
  const context = value.contexts.find(({ text, factor }) => factor >= minFactor && isLabel(text));
  if (context && (value.kind !== "number" || value.sentence === "")) {
    const isInSentence = context.relation === "inline" && value.sentence !== "";
    const factor = isInSentence ? unmarked : 1;
    yield { ...found, label: context.text, usefulness: usefulness * context.factor * quality * factor };
    return;
  }
  const label = phraseAround(value);
  if (label !== undefined) yield { ...found, label, usefulness: usefulness * inPhrase * quality };
}

/** Factor for a value in a sentence, if it has no printed label. Chosen by hand, 2026-11. */
const inPhrase = 0.6;
/**
 * Maximum number of words before a value in a sentence that serve as its label. Chosen by hand,
 * 2026-11.
 */
const phraseWords = 4;

/**
 * Returns the words before a value in its sentence. If the value is a number, appends its unit, or
 * returns undefined if there is no unit.
 */
function phraseAround({ kind, run, start, end }: PoolValue): string | undefined {
  const before =
    run.text
      .slice(0, start)
      .split(/[.;:](?=\s)/u)
      .at(-1) ?? "";
  const unit = /^[ )\d(]{0,8}(\p{L}{3,20})/u.exec(run.text.slice(end))?.[1];
  if (kind === "number" && unit === undefined) return undefined;
  const words = before.split(/\s+/u).filter((word) => /\p{L}{2}/u.test(word));
  while (functionWord.test(words.at(-1) ?? "")) words.pop();
  const lead = words.slice(-phraseWords);
  if (kind === "number" && unit !== undefined) lead.push(unit);
  while (functionWord.test(lead[0] ?? "")) lead.shift();
  return lead.length > 0 ? lead.join(" ") : undefined;
}

function* ticked(view: PartyView): Generator<Found> {
  for (const value of poolOf(view).boolean()) {
    if (value.kind !== "boolean") continue;
    const context = value.contexts.find(({ text }) => isLabel(text));
    if (!context) continue;
    const { run, words } = value;
    const usefulness = worth.boolean * context.factor * value.quality;
    yield {
      label: context.text,
      format: "boolean",
      value: value.value,
      run,
      words,
      inferred: true,
      usefulness,
    };
  }
}

/**
 * Labels for values that have no printed label but can be recognized by their format, such as an
 * IBAN.
 */
const kindNames: Partial<Record<ValueKind, string>> = {
  iban: "IBAN",
  bic: "BIC",
  vat: "VAT number",
  email: "Email",
  phone: "Phone",
  url: "Website",
};
/** Maximum number of address lines below a name. Chosen by hand, 2026-11. */
const maxAddressLines = 4;
/** Maximum gap between address lines, in line heights. Chosen by hand, 2026-11. */
const maxGap = 0.9;

/**
 * Bonus that is added to the usefulness of an address, so that it ranks before other values with
 * the same label. Chosen by hand, 2026-11.
 */
const ofAddress = 0.01;
/** Factor for running text, which is rarely a value. Chosen by hand, 2026-11. */
const ofProse = 0.8;

/** Yields the address in the lines below a name that has a label. */
function* addressBelow(label: string, { page, run }: RunSpan, usefulness: number): Generator<Found> {
  const lines: TextRun[] = [];
  for (let low = run; lines.length < maxAddressLines; ) {
    const next = runBelow(page, low);
    if (!next || next.box[1] - low.box[3] > maxGap * low.height || !isAddressLine(next.text)) break;
    lines.push(next);
    low = next;
  }
  if (lines.length === 0) return;
  // If the value itself is an address line, the address begins there.
  const all = isAddressLine(run.text) ? [run, ...lines] : lines;
  const value = all.map((line) => line.text).join(" ");
  const words = all.flatMap((line) => line.words);
  yield {
    label: `${plainLabel(label)} address`,
    format: "text",
    value,
    run,
    words,
    inferred: false,
    usefulness: usefulness + ofAddress,
  };
}

const isInAddress = ({ text }: TextRun): boolean => isAddressLine(text) || isStreetLine(text);

/** Minimum length of a code, in characters. Chosen by hand on our own documents, 2026-11. */
const minCode = 5;
const contacts: readonly ValueKind[] = ["phone", "url", "email"];
const codes: readonly ValueKind[] = ["code", "iban", "bic", "vat"];

function* texts(view: PartyView): Generator<Found> {
  for (const { label, value, factor, marked } of view.pairs()) {
    const text = spanText(value);
    if (!marked || factor < minFactor || text.length > maxText || !isLabel(label) || !isText(text)) continue;
    const hasColon = endsAsLabel(label) || factor === 1;
    // Without a colon, two texts beside each other are often two labels or two values.
    if (!hasColon && (isConcept(text) || isProse(text) || (factor < minAside && !isConcept(label)))) continue;
    const words = wordsBetween(value.run, value.start, value.end);
    yield* addressBelow(label, value, worth.text * factor);
    const usefulness = worth.text * factor * (isProse(text) ? ofProse : 1);
    yield {
      label,
      format: "text",
      value: text,
      run: value.run,
      words,
      inferred: false,
      usefulness,
    };
  }
  for (const kind of [...codes, ...contacts])
    for (const { found, run, words, contexts } of view.places(kind)) {
      const context = contexts.find(({ text, factor }) => factor >= minFactor && isLabel(text));
      if (kind === "code" && isInAddress(run)) continue;
      const isShort =
        found.end - found.start < minCode || (kind === "code" && !/\d/.test(run.text.slice(found.start, found.end)));
      const isUnlabelled = kind === "code" && (!context || isProse(run.text));
      if (isUnlabelled || isShort) continue;
      const usefulness = worth.code * (context?.factor ?? minFactor) * (contacts.includes(kind) ? ofContact : 1);
      const value = run.text.slice(found.start, found.end);
      yield {
        label: context?.text ?? kindNames[kind] ?? kind,
        format: "text",
        value,
        run,
        words,
        inferred: false,
        usefulness,
      };
    }
}

/**
 * Minimum factor of a label that has no colon and does not name a known concept. The factor rates
 * the label's position relative to the value. Chosen by hand, 2026-11.
 */
const minAside = 0.8;

/** Returns true if the text has two adjacent letters or digits, and no fill-in line. */
const isText = (text: string): boolean => /[\p{L}\p{N}]{2}/u.test(text) && !/_{3}/.test(text);

/**
 * Returns true for a text that can be a label: it is short, has letters, and is not a value itself.
 */
function isLabel(text: string): boolean {
  const plain = plainLabel(text);
  if (plain.length < 2 || plain.length > maxLabel || plain.split(" ").length > maxLabelWords) return false;
  if (!/\p{L}{2}/u.test(plain) || hasLegalForm(plain) || functionWord.test(plain)) return false;
  return (plain.match(/\d/g)?.length ?? 0) <= 2;
}

/**
 * Matches a text that ends with a word such as "of". Such a text ends in the middle of a phrase, so
 * it is not a label.
 */
const functionWord =
  /(?<![\p{L}\d])(?:of|the|to|and|or|a|an|for|in|by|with|der|die|das|den|dem|des|und|oder|von|zu|im|mit|de|du|des|le|la|les|et|ou|à|el|los|las|y|o|del|di|il|e|van|het|een|en)$/iu;

/**
 * Minimum score at which a text counts as the name of a concept of the lexicon. A text that names a
 * concept is a label, not a value. Chosen by hand, 2026-11.
 */
const minLabel = 0.6;
const isConcept = (text: string): boolean => scorers.some(({ score }) => score(text) >= minLabel);

/**
 * Minimum score of a label for a concept. If the score is higher, the proposed field gets the name
 * of the concept. Chosen by hand, 2026-11.
 */
const minConcept = 0.9;
const scorers: readonly { key: string; format: Found["format"]; score: LabelScorer }[] = concepts.map((concept) => ({
  key: concept.key,
  format: formatOf(concept.kind),
  score: makeScorer(phrasesOf(concept), "boolean", new Set([concept.key])),
}));

/**
 * Returns the English name of the concept that the label clearly names, or undefined if there is no
 * such concept.
 */
function conceptName(label: string, of: Found["format"]): string | undefined {
  let best: string | undefined;
  let top = minConcept;
  for (const { key, format, score } of scorers) {
    const own = format === of ? score(label) : 0;
    if (own > top) [best, top] = [key, own];
  }
  return best;
}

function formatOf(kind: ValueKind): Found["format"] {
  if (kind === "date" || kind === "boolean") return kind;
  return kind === "money" || kind === "number" || kind === "percent" ? "number" : "text";
}
