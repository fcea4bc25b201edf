/**
 * Finds labels above a value: column headings of one or two lines, and captions at the upper left.
 */
import type { Box } from "../../../reading/document.ts";
import { captionsBelow, maxCaptionHeight } from "../../page/captions.ts";
import { centreY, overlapShare, type PageRuns, type TextRun } from "../../page/text-runs.ts";
import { aboveDistances, contextFactors, minAboveOverlap } from "./context-weights.ts";
import type { Context } from "./label-contexts.ts";
import { hasWords, labelTerms, withoutPunctuation } from "./label-scores.ts";

/** Maximum number of rows that are searched upwards for a heading. Chosen by hand, 2026-11. */
const maxRowsUp = 60;
/** Maximum length, in UTF-16 units, of a text run that can be a label. Chosen by hand, 2026-11. */
const maxLabelLength = 70;

export const isShort = (text: string): boolean => text.length <= maxLabelLength;

/**
 * Returns the nearest label above the value that overlaps it horizontally. Other values between
 * them in the same column are skipped.
 */
export function aboveLabels(layout: PageRuns, run: TextRun, box: Box): Context[] {
  const w = contextFactors;
  let passed = 0;
  let low: TextRun = run;
  for (let up = run.row - 1; up >= 0 && run.row - up <= maxRowsUp; up--) {
    const over = mostOverlapping(layout.rows[up] ?? [], box);
    if (!over) continue;
    if (captionsBelow(layout).ofCaption.has(over)) break;
    if (passed === 0 && centreY(box) - centreY(over.box) > 6 * run.height) break;
    if (!hasWords(over.text)) {
      passed++;
      low = over;
      continue;
    }
    if (!isShort(over.text) || isPair(over, run) || (isFar(over, box, run) && /\d/.test(over.text))) break;
    if (centreY(low.box) - centreY(over.box) > 30 * run.height) break;
    const single = passed === 0 ? (isFar(over, box, run) ? w.farAbove : w.nearAbove) : w.aboveOthers;
    return labelsAt(layout, over, box, isListed(layout, run, box, passed) ? single * w.inList : single);
  }
  return asideLabel(layout, run);
}

const isFar = (label: TextRun, box: Box, { height }: TextRun): boolean =>
  box[1] - label.box[3] >= aboveDistances.near * height;

/**
 * Returns the label alone, and joined with the line above it. A vague label is also joined with the
 * label to its left: "Order No. | Dated" becomes "Order No. Dated".
 */
function labelsAt(layout: PageRuns, label: TextRun, box: Box, factor: number): Context[] {
  const contexts: Context[] = [{ text: label.text, relation: "above", factor }];
  const upper = stackedAbove(layout, label, box);
  if (upper)
    contexts.unshift({
      text: `${withoutPunctuation(upper.text)} ${withoutPunctuation(label.text)}`,
      relation: "above",
      factor,
    });
  const before = layout.rows[label.row]?.[label.column - 1];
  const vague = labelTerms(label.text).every((term) => term.weight < 1);
  if (before && vague && isShort(before.text) && hasWords(before.text) && !/\d/.test(before.text))
    contexts.push({
      text: `${withoutPunctuation(before.text)} ${withoutPunctuation(label.text)}`,
      relation: "above",
      factor: factor * contextFactors.withNeighbour,
    });
  return contexts;
}

const amountPattern = /^\D{0,4}\d{1,3}(?:[.,'’ ]?\d{3})*[.,]\d{2}\D{0,4}$/u;

/** Returns true for an amount with another amount above or below it in the same column. */
function isListed(layout: PageRuns, run: TextRun, box: Box, passed: number): boolean {
  if (!amountPattern.test(run.text)) return false;
  if (passed > 0) return true;
  const below = [1, 2]
    .map((down) => mostOverlapping(layout.rows[run.row + down] ?? [], box))
    .find((other) => other !== undefined);
  return (
    below !== undefined && amountPattern.test(below.text) && below.box[1] - box[3] < aboveDistances.column * run.height
  );
}

/**
 * Returns the label at the upper left of a value whose own row has no label. Boxes that contain a
 * single sum are often laid out like this.
 */
function asideLabel(layout: PageRuns, run: TextRun): Context[] {
  const beside = layout.rows[run.row]?.[run.column - 1];
  const label = layout.rows[run.row - 1]?.at(-1);
  if (!label || (beside && beside.box[2] > label.box[0] && hasWords(beside.text))) return [];
  if (label.box[2] > run.box[0] || !isShort(label.text) || /\d/.test(label.text)) return [];
  const close = run.box[1] - label.box[3] < aboveDistances.aside * run.height;
  return close && hasWords(label.text) ? [{ text: label.text, relation: "above", factor: contextFactors.aside }] : [];
}

/** Returns the line directly above a label, if the two lines form one label. */
function stackedAbove(layout: PageRuns, label: TextRun, box: Box): TextRun | undefined {
  const over = mostOverlapping(layout.rows[label.row - 1] ?? [], box);
  const close = over && label.box[1] - over.box[3] < aboveDistances.stacked * label.height;
  return close && over.bold === label.bold && isShort(over.text) && !/\d/.test(over.text) && !/:\s*$/.test(over.text)
    ? over
    : undefined;
}

/**
 * Returns true for text that is not a label because it contains a value: "Due: 5 May", or "45
 * Days".
 */
const isPair = ({ text, height }: TextRun, value: TextRun): boolean =>
  /\d/.test(text) &&
  /:\s*\S|\d{3}|^\d/.test(height < maxCaptionHeight * value.height ? text.replace(fieldNumber, "") : text);

/** Matches the field number in front of a label on a form, as in "11 Lease begins". */
const fieldNumber = /^\d{1,2}[a-z]?[.)]? (?=\p{L}{2})/u;

function mostOverlapping(row: readonly TextRun[], box: Box): TextRun | undefined {
  let best: TextRun | undefined;
  let most = minAboveOverlap;
  // The runs of a row do not overlap. So the search starts at the last run that begins left of the
  // box's right edge, and goes left.
  for (let at = lastBefore(row, box[2]); at >= 0; at--) {
    const other = row[at];
    if (!other || other.box[2] < box[0]) break;
    const shared = overlapShare(other.box, box);
    if (shared > most) [best, most] = [other, shared];
  }
  return best;
}

/** Returns the index of the last run that begins left of `x`; -1 if there is none. */
function lastBefore(row: readonly TextRun[], x: number): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((row[middle]?.box[0] ?? x) < x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
