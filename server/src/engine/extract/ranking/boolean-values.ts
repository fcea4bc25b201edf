/**
 * Collects yes/no values for the pool of candidate values: printed answers, checkboxes and
 * statements.
 */
import { type ValueType, valueTypes, valueTypesOf } from "../../../language/value-types.ts";
import { checkbox, emptyBox, isOptionText, tickedBox } from "../../page/checkboxes.ts";
import { type RunSpan, spanText, trimmed, whole } from "../../page/run-spans.ts";
import { type PageRuns, type TextRun, wordsBetween } from "../../page/text-runs.ts";
import { placeToSign } from "../candidates/booleans.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import type { Context } from "../labels/label-contexts.ts";
import { inferredValue, maxValues, type PoolValue } from "./pool-value.ts";
import type { Surroundings } from "./surroundings.ts";

const yes = /^(?:yes|y|ja|j|oui|o|sí|si|true|wahr|vrai|x|zutreffend|sim|waar|vero)[.,]?$/iu;
const no = /^(?:no|n|nein|non|false|falsch|faux|nee|não|falso|none|keine?|aucune?|nicht|ninguno)[.,]?$/iu;
const negation =
  /(?<!\p{L})(?:not|no|never|without|cannot|excluded|nicht|kein\w{0,2}|nie|ohne|ausgeschlossen|pas|sans|aucune?|jamais|exclue?s?|sin|senza|non|geen|niet|zonder|não|sem|nunca|mai)(?!\p{L})/iu;

/**
 * Quality (0 to 1) of a value by its source: a box, a printed answer, the beginning of a longer
 * answer, or a statement. Chosen by hand, 2026-11.
 */
const ofBox = 1;
const ofAnswer = 0.9;
const ofBeginning = 0.8;
const ofStatement = 0.6;

type Found = Pick<PoolValue, "kind" | "quality" | "contexts"> & { span: RunSpan; value: boolean };

export function booleanValues(view: DocumentView, surroundings: Surroundings): PoolValue[] {
  const values: PoolValue[] = [];
  for (const { span, ...found } of foundIn(view)) {
    if (values.length >= maxValues) break;
    if (wordsBetween(span.run, span.start, span.end).length === 0) continue;
    const value = inferredValue(span, found, surroundings);
    values.push(found.kind === "statement" ? { ...value, sentence: spanText(span) } : value);
  }
  return values;
}

function* foundIn(view: DocumentView): Generator<Found> {
  for (const { label, value, factor } of view.pairs()) {
    // "Yes" followed by "No" is two printed answers, not a label and its value.
    if (isAnswer(label.trim())) continue;
    const contexts: Context[] = [{ text: label.replace(/\?/g, ""), relation: "left", factor }];
    const found = answerIn(spanText(value).trim());
    if (found) yield { kind: "boolean", span: value, ...found, contexts };
  }
  for (const page of view.layout.pages)
    for (const run of page.runs) {
      yield* boxesIn(page, run);
      yield* statementsIn(page, run);
    }
}

const isAnswer = (text: string): boolean => yes.test(text) || no.test(text);

/**
 * Maximum length, in UTF-16 units, of a text that counts as an answer merely because it contains a
 * checkbox. Chosen by hand, 2026-11.
 */
const maxBoxText = 6;
/**
 * Maximum length, in UTF-16 units, of a text that counts as an answer because it begins with a word
 * such as "yes", "no" or "true". Chosen by hand, 2026-11.
 */
const maxAnswerText = 89;

/** Returns the answer that a text consists of or begins with, as in "no" or "yes, by post". */
function answerIn(text: string): { value: boolean; quality: number } | undefined {
  if (text.length <= maxBoxText && tickedBox.test(text)) return { value: true, quality: ofAnswer };
  if (text.length <= maxBoxText && emptyBox.test(text)) return { value: false, quality: ofAnswer };
  if (isAnswer(text)) return { value: yes.test(text), quality: ofAnswer };
  const [first = ""] = text.split(/[\s,;.–—-]+/u);
  const begins = first.length < text.length && text.length <= maxAnswerText && isAnswer(first);
  return begins ? { value: yes.test(first), quality: ofBeginning } : undefined;
}

/** Only this many UTF-16 units of a line are searched for boxes. Chosen by hand, 2026-11. */
const maxBoxes = 400;
/** Factor for a label that stands before its checkbox. Chosen by hand, 2026-11. */
const beforeBox = 0.8;

/** Yields the checkboxes of a line. The texts before and after a checkbox are its labels. */
function* boxesIn(page: PageRuns, run: TextRun): Generator<Found> {
  const boxes = [...run.text.slice(0, maxBoxes).matchAll(checkbox)];
  const row = page.rows[run.row] ?? [];
  const span = whole(page, run);
  for (const [at, box] of boxes.entries()) {
    const ticked = tickedBox.test(box[0]);
    const after = run.text.slice(box.index + box[0].length, boxes[at + 1]?.index ?? run.text.length).trim();
    const next = after || (row[run.column + 1]?.text ?? "");
    const from = at === 0 ? 0 : (boxes[at - 1]?.index ?? 0) + 1;
    const before = run.text.slice(from, box.index).trim() || (row[run.column - 1]?.text ?? "");
    if (isAnswer(next)) {
      // In "Smoker ☐ yes ☒ no", the ticked box answers the question.
      if (!ticked) continue;
      const question = row[0] && row[0] !== run ? row[0].text : at > 0 ? run.text.slice(0, boxes[0]?.index ?? 0) : "";
      const contexts: Context[] = [{ text: question || before.replace(checkbox, " "), relation: "left", factor: 1 }];
      yield { kind: "boolean", span, value: yes.test(next), quality: ofBox, contexts };
      continue;
    }
    const contexts: Context[] = [];
    if (next) contexts.push({ text: next, relation: "behind", factor: 1 });
    if (before) contexts.push({ text: before, relation: "left", factor: beforeBox });
    yield { kind: "boolean", span, value: ticked, quality: ofBox, contexts };
  }
}

/**
 * Minimum length, in UTF-16 units, of a line that may contain statements. Chosen by hand, 2026-11.
 */
const minLine = 12;
/** Minimum length of a clause, in UTF-16 units. Chosen by hand, 2026-11. */
const minClause = 9;
/** Only this many UTF-16 units of a line are read. Chosen by hand, 2026-11. */
const maxLine = 600;

/** Yields the clauses of a line as statements. The value is false for a clause with a negation. */
function* statementsIn(page: PageRuns, run: TextRun): Generator<Found> {
  // The text of a checkbox option is not a statement, because its box determines the value.
  if (run.text.length < minLine || isOptionText(page, run)) return;
  for (const { start, end } of clausesIn(run.text.slice(0, maxLine))) {
    const span = trimmed(page, run, start, end);
    const text = run.text.slice(start, end);
    const value = !negation.test(text);
    // Two words without a negation are a heading such as "Rental agreement", not a statement.
    const states = !value || (/\S\s+\S+\s+\S/.test(text) && !isName(text));
    if (span && states && !placeToSign.test(text.trim().toLowerCase()))
      yield { kind: "statement", span, value, quality: ofStatement, contexts: [] };
  }
}

/**
 * If a text is a name, an address, an amount or the like with at least this probability, it is not
 * a statement. Chosen by hand, 2026-11.
 */
const likelyName = 0.7;
/** Types of text that can be statements. */
const stating: ReadonlySet<ValueType> = new Set(["text", "boolean", "sentence", "label", "job"]);

/** Returns true for a name, an address, an amount or another text that is not a statement. */
function isName(text: string): boolean {
  const chances = valueTypesOf(text.trim());
  return valueTypes.reduce((sum, type, at) => sum + (stating.has(type) ? 0 : (chances[at] ?? 0)), 0) >= likelyName;
}

function* clausesIn(text: string): Generator<{ start: number; end: number }> {
  let start = 0;
  for (const { index } of text.matchAll(/[.;](?=\s|$)/g)) {
    if (index - start >= minClause) yield { start, end: index };
    start = index + 1;
  }
  if (text.length - start >= minClause) yield { start, end: text.length };
}
