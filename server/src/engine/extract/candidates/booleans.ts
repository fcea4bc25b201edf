/** Finds yes/no values: words after a label, ticked boxes, and statements. */

import { foldLabel } from "../../../language/folding.ts";
import { checkbox, emptyBox, isOptionText, tickedBox } from "../../page/checkboxes.ts";
import type { Pair } from "../../page/label-value-pairs.ts";
import { type RunSpan, spanText, whole } from "../../page/run-spans.ts";
import type { PageRuns, TextRun } from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { DocumentView } from "./document-view.ts";
import { byScore, type Candidate } from "./find-candidates.ts";
import { toCandidate } from "./labelled-text.ts";
import { statementsIn } from "./yes-no-clauses.ts";

const yes = new Set("yes y ja j oui o si s true wahr vrai x checked zutreffend vero verdadero waar".split(" "));
const no = new Set("no n nein non false falsch faux nee niet nicht falso onwaar none keine aucun".split(" "));
const negation =
  /(?<!\p{L})(?:not|no|never|without|nicht|kein\w{0,2}|ohne|pas|sans|aucune?|sin|senza|non|geen|niet|zonder)(?!\p{L})/u;

/**
 * Matches text that marks the place for a signature, such as "Unterschrift des Mieters". It does
 * not show that anyone has signed.
 */
export const placeToSign =
  /^(?:authori[sz]ed |customer |client |date and |datum,? )?(?:signatures?|unterschrift|handtekening|firma|assinatura)(?: (?:of|des|der|du|de|del|della|van|do|da|and|und|et|y|e)(?!\p{L}).*)?$/u;

/**
 * Minimum score of a label whose answer is a word such as "yes" or a box. Chosen by hand, 2026-11.
 */
const minLabel = 0.5;
/**
 * Minimum score of a statement. The score says how well the statement would fit as a label of the
 * field. Chosen by hand, 2026-11.
 */
const minStatement = 0.6;
/**
 * Factor for a statement that is the whole text of a run, not one of its sentences. Chosen by hand,
 * 2026-11.
 */
const wholeStatement = 0.8;

export function booleanCandidates(query: AskedField, { layout, pairs }: DocumentView): Candidate[] {
  const ticked = layout.pages.flatMap((page) => page.runs.flatMap((run) => inRun(query, page, run)));
  return [...pairs().flatMap((pair) => answered(query, pair)), ...ticked].sort(byScore);
}

/** Returns a candidate if the text after the label is "yes", "no" or a box. */
function answered(query: AskedField, { label, value, factor }: Pair): Candidate[] {
  const answer = answerOf(spanText(value));
  const score = answer === undefined ? 0 : query.score(label.replace(/\?/g, "")) * factor;
  return answer !== undefined && score >= minLabel ? [decided(value, answer, score)] : [];
}

/**
 * Returns a candidate for text with a box in front of it. If there is no box, returns candidates
 * for the statements in the text.
 */
function inRun(query: AskedField, page: PageRuns, run: TextRun): Candidate[] {
  const box = boxBefore(page, run);
  if (box === undefined) return [...statement(query, page, run)];
  const score = query.score(run.text.replace(checkbox, " "));
  return score >= minLabel ? [decided(whole(page, run), box, score)] : [];
}

const decided = (span: RunSpan, value: boolean, score: number): Candidate => ({
  ...toCandidate(span, score),
  value,
  match: "inferred",
});

/**
 * Returns true or false for a short text such as "yes" or a ticked box, and undefined for other
 * text.
 */
function answerOf(text: string): boolean | undefined {
  if (tickedBox.test(text) && text.length <= 4) return true;
  if (emptyBox.test(text) && text.length <= 4) return false;
  const word =
    foldLabel(text)
      .replace(/[^\p{L}]+/gu, " ")
      .trim()
      .split(" ")[0] ?? "";
  return text.length > 24 ? undefined : yes.has(word) ? true : no.has(word) ? false : undefined;
}

/**
 * Returns whether the box in front of the run's text is ticked. The box may be in the same run or
 * in the run to the left. Undefined if there is no box.
 */
function boxBefore(page: PageRuns, run: TextRun): boolean | undefined {
  const left = page.rows[run.row]?.[run.column - 1]?.text ?? "";
  for (const text of [run.text.slice(0, 4), left.length <= 3 ? left : ""]) {
    if (tickedBox.test(text)) return true;
    if (emptyBox.test(text)) return false;
  }
  return undefined;
}

/**
 * Yields one candidate if the text as a whole affirms or denies what the field asks. Also yields
 * one for each sentence of the text that does so.
 */
function* statement(query: AskedField, page: PageRuns, run: TextRun): Generator<Candidate> {
  if (isOptionText(page, run)) return;
  for (const { start, end, value, score } of statementsIn(query, run.text))
    yield decided({ page, run, start, end }, value, score);
  if (run.text.length > 160 || /[?:](?:\s|$)/.test(run.text) || isLabelOfNumber(page, run)) return;
  const folded = foldLabel(run.text);
  if (placeToSign.test(folded)) return;
  const denied = negation.test(folded);
  const score = query.score(denied ? folded.replace(negation, " ") : run.text);
  if (score >= minStatement) yield decided(whole(page, run), !denied, score * wholeStatement);
}

/**
 * Returns true for the label of a number: "Already paid 50.00" does not mean that all is paid. Also
 * returns true for text between two labels of numbers, because it is a label whose number was left
 * out.
 */
function isLabelOfNumber(page: PageRuns, run: TextRun): boolean {
  const isLabel = ({ row, column }: TextRun): boolean => beginsWithNumber(page.rows[row]?.[column + 1]);
  const hasLabelAt = (row: number): boolean =>
    page.rows[row]?.some((other) => isBelowOneAnother(other, run) && isLabel(other)) ?? false;
  return isLabel(run) || (hasLabelAt(run.row - 1) && hasLabelAt(run.row + 1));
}

const beginsWithNumber = (run: TextRun | undefined): boolean => /^[\p{Sc}\s(+-]*\d/u.test(run?.text ?? "");

/** Returns true if the left edges of both runs are aligned. */
const isBelowOneAnother = (other: TextRun, run: TextRun): boolean => Math.abs(other.box[0] - run.box[0]) < run.height;
