/**
 * Finds pairs of a label and a value, which may be any text. The value follows the label in the
 * same text run, or is to its right or below it.
 */

import { captionsBelow } from "./captions.ts";
import { tickedOf } from "./checkboxes.ts";
import { pairFactors, pairLimits } from "./label-value-weights.ts";
import { type RunSpan, spanText, trimmed, whole } from "./run-spans.ts";
import { besides, overlapShare, type PageRuns, rowsAround, type TextRun } from "./text-runs.ts";

export interface Pair {
  label: string;
  value: RunSpan;
  /** Confidence in the pair, 0 to 1. */
  factor: number;
  /** True if a colon or a gap separates the label from the value. */
  marked: boolean;
}

const maxLabelWords = 7;
const maxLabelLength = 70;

/**
 * Returns all pairs of a label in the text run and a value that it may have. If the value consists
 * of options, only the checked option is kept.
 */
export function pairsOf(page: PageRuns, run: TextRun): Pair[] {
  return allPairs(page, run).flatMap((pair) => {
    const value = isFilled(spanText(pair.value)) ? tickedOf(pair.value) : undefined;
    return value ? [value === pair.value ? pair : { ...pair, value, marked: true }] : [];
  });
}

/** Returns false for white space and fill-in lines. */
const isFilled = (text: string): boolean => !/^[\s_.…·-]*$/u.test(text);

function allPairs(page: PageRuns, run: TextRun): Pair[] {
  const pairs = inlinePairs(page, run);
  const text = run.text;
  if (text.length > maxLabelLength || hasOwnValue(text)) return pairs;
  const marked = /[:：]\s*$/.test(text);
  const captioned = captionsBelow(page).ofCaption.get(run);
  if (captioned) {
    pairs.push({ label: text, value: whole(page, captioned), factor: pairFactors.aboveCaption, marked: true });
    return pairs;
  }
  const right = page.rows[run.row]?.[run.column + 1] ?? (marked ? leaningRight(page, run) : undefined);
  if (right && !endsAsLabel(right.text) && !headsColumns(page, run))
    pairs.push({
      label: text,
      value: whole(page, right),
      factor: marked ? pairFactors.rightMarked : pairFactors.right,
      marked: true,
    });
  const below = runBelow(page, run);
  const named = below && nameBelow(page, below);
  if (named) pairs.push({ label: text, value: named, factor: pairFactors.underHeading, marked: true });
  else if (below && !endsAsLabel(below.text))
    pairs.push({
      label: text,
      value: whole(page, below),
      factor: (marked ? pairFactors.belowMarked : pairFactors.below) * (right && marked ? pairFactors.besideRight : 1),
      marked: true,
    });
  return pairs;
}

/** Minimum number of columns in a row of column headers. Chosen by hand, 2026-11. */
const minColumns = 3;
const ruleCache = new WeakMap<readonly TextRun[], boolean>();

/**
 * Returns true for a row of column headers. The run to the right of a header is then the next
 * header, not a value.
 */
function headsColumns(page: PageRuns, run: TextRun): boolean {
  const row = page.rows[run.row] ?? [];
  const known = ruleCache.get(row);
  if (known !== undefined) return known;
  const below = page.rows[run.row + 1] ?? [];
  const under = row.filter((head) =>
    below.some((value) => /\d/.test(value.text) && overlapShare(head.box, value.box) > pairLimits.headerOverlap),
  );
  const heads = row.length >= minColumns && row.every((head) => !/[\d:]/.test(head.text)) && under.length >= minColumns;
  ruleCache.set(row, heads);
  return heads;
}

const nameLabel = /^(?:\p{L}+[ -]){0,3}(?:name|nom|nombre|nome|naam)(?: \([^()]{1,30}\))?:?$/iu;

/**
 * Finds the name of a party below the heading of a section. `below` is the line under the heading.
 * It is a label such as "Provider name", or a label followed by the name, as in "Full legal name:
 * …".
 */
function nameBelow(page: PageRuns, below: TextRun): RunSpan | undefined {
  const [lead] = /^[^:]{3,40}(?=: \S)/u.exec(below.text) ?? [];
  if (lead && nameLabel.test(lead)) return trimmed(page, below, lead.length + 1, below.text.length);
  if (!nameLabel.test(below.text)) return undefined;
  const value = endsAsLabel(below.text) ? page.rows[below.row]?.[below.column + 1] : runBelow(page, below);
  return value && whole(page, value);
}

/** Matches `label: value` in one text run. Such a run has no other value to its right or below. */
const hasOwnValue = (text: string): boolean => /\p{L}\s?[:：]\s+[^\s:]/u.test(text);

/**
 * Returns the nearest run to the right that is on an adjacent row but overlaps this run vertically,
 * as happens in skewed scans.
 */
function leaningRight(page: PageRuns, run: TextRun): TextRun | undefined {
  const beside = rowsAround(page, run).filter((other) => besides(run, other));
  return beside.sort((a, b) => a.box[0] - b.box[0])[0];
}

export const endsAsLabel = (text: string): boolean => /[:：]\s*$/.test(text);

/**
 * Finds labels and values that are in the same text run. `label: value` is split at each colon. In
 * a text without a colon, the label may end after any of the first words, so each of these splits
 * is returned.
 */
function inlinePairs(page: PageRuns, run: TextRun): Pair[] {
  const pairs: Pair[] = [];
  const { text, starts } = run;
  const colons = [...text.slice(0, 400).matchAll(/[:：](?!\/\/|\d{2}(?!\d))|\?(?=\s)/g)].map((match) => match.index);
  colons.forEach((colon, at) => {
    const labelStart = at === 0 ? sentenceBegin(text.slice(0, colon)) : labelBegin(text, colons[at - 1] ?? 0, colon);
    const next = colons[at + 1];
    const end = next === undefined ? text.length : labelBegin(text, colon, next);
    const value = trimmed(page, run, colon + 1, end);
    if (value) pairs.push({ label: text.slice(labelStart, colon), value, factor: 1, marked: true });
    const inner = at === 0 ? lastMark(text.slice(0, colon)) : -1;
    if (value && inner > 0)
      pairs.push({ label: text.slice(inner, colon), value, factor: pairFactors.innerLabel, marked: true });
  });
  // A colon ends the label before it. Without a colon, the label may end after any of the first
  // words.
  const mostWords = colons.length > 0 ? 0 : Math.min(maxLabelWords, starts.length - 1);
  for (let count = 1; count <= mostWords; count++) {
    const start = starts[count] ?? 0;
    const value = trimmed(page, run, start, text.length);
    // In "Name (last, first)", the note in brackets belongs to the label and is not a value.
    const inBrackets = text.endsWith(")") && text.lastIndexOf("(", start) > text.lastIndexOf(")", start);
    if (value && !inBrackets)
      pairs.push({ label: text.slice(0, start - 1), value, factor: pairFactors.firstWords, marked: false });
  }
  return pairs;
}

/**
 * Returns the start of the last sentence. A full stop after a short word ends an abbreviation, not
 * a sentence.
 */
function sentenceBegin(text: string): number {
  const end = text.lastIndexOf(". ");
  return end > 0 && /\p{L}{5}$/u.test(text.slice(0, end)) ? end + 2 : 0;
}

/**
 * Returns the start of the label before a colon. The text before that label may be another label
 * with its value, as in "Date: 1 May Place: Ulm".
 */
function labelBegin(text: string, from: number, colon: number): number {
  const between = text.slice(from + 1, colon);
  const mark = lastMark(between);
  if (mark >= 0) return from + 1 + mark;
  // If the preceding value has digits, the text after them is the label. Otherwise, only the last
  // word is certain to belong to the label.
  const behindValue = behindDigits(between.trimEnd());
  if (behindValue > 0) return from + 1 + behindValue;
  const space = between.trimEnd().lastIndexOf(" ");
  return space > 0 ? from + 1 + space + 1 : from + 1;
}

/** Returns the offset after the last word with a digit. Returns 0 if no text follows it. */
function behindDigits(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && !/\d/.test(text[at] ?? "")) at--;
  return at < 0 ? 0 : text.indexOf(" ", at) + 1;
}

/** Returns the offset after the last separator, or -1 if there is none. */
function lastMark(between: string): number {
  const mark = Math.max(...statementMarks.map((text) => between.lastIndexOf(text)));
  return mark < 0 ? -1 : mark + 2;
}

const statementMarks = [" - ", " – ", ", ", "; ", " | ", " · "];

/**
 * Returns the nearest text run below that has the same left edge as the run or overlaps it
 * horizontally.
 */
export function runBelow(page: PageRuns, run: TextRun): TextRun | undefined {
  for (let down = run.row + 1; down < page.rows.length && down <= run.row + 4; down++) {
    for (const other of page.rows[down] ?? []) {
      if (other.box[1] - run.box[3] > pairLimits.maxGapBelow * run.height) return undefined;
      const aligned = Math.abs(other.box[0] - run.box[0]) < pairLimits.maxIndent * run.height;
      if (aligned || overlapShare(other.box, run.box) > pairLimits.belowOverlap) return other;
    }
  }
  return undefined;
}
