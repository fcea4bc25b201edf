/**
 * Finds pairs of a label and a free-text value. The value follows its label in the same text, or is
 * to the right of it or below it.
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
 * Returns all readings of a text run as a label with its value. If the value has several options,
 * the checked one is returned.
 */
export function pairsOf(page: PageRuns, run: TextRun): Pair[] {
  return allPairs(page, run).flatMap((pair) => {
    const value = isFilled(spanText(pair.value)) ? tickedOf(pair.value) : undefined;
    return value ? [value === pair.value ? pair : { ...pair, value, marked: true }] : [];
  });
}

/** Returns false for blanks and fill-in lines. */
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
 * Returns true for a row of column headers. A run to the right of a header is the next header, not
 * a value.
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
 * Finds a party name below a section heading, as in "Full legal name: …" or below "Provider name".
 */
function nameBelow(page: PageRuns, below: TextRun): RunSpan | undefined {
  const [lead] = /^[^:]{3,40}(?=: \S)/u.exec(below.text) ?? [];
  if (lead && nameLabel.test(lead)) return trimmed(page, below, lead.length + 1, below.text.length);
  if (!nameLabel.test(below.text)) return undefined;
  const value = endsAsLabel(below.text) ? page.rows[below.row]?.[below.column + 1] : runBelow(page, below);
  return value && whole(page, value);
}

/** Matches `label: value` within one text run, which has no other value to its right or below. */
const hasOwnValue = (text: string): boolean => /\p{L}\s?[:：]\s+[^\s:]/u.test(text);

/** Returns the nearest text run to the right that is on an adjacent row and overlaps vertically. */
function leaningRight(page: PageRuns, run: TextRun): TextRun | undefined {
  const beside = rowsAround(page, run).filter((other) => besides(run, other));
  return beside.sort((a, b) => a.box[0] - b.box[0])[0];
}

export const endsAsLabel = (text: string): boolean => /[:：]\s*$/.test(text);

/** Splits `label: value` at each colon, or `label value` after each of the first words. */
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
  // Text before a colon is one label. If there is no colon, the label may end after any of the
  // first words.
  const mostWords = colons.length > 0 ? 0 : Math.min(maxLabelWords, starts.length - 1);
  for (let count = 1; count <= mostWords; count++) {
    const start = starts[count] ?? 0;
    const value = trimmed(page, run, start, text.length);
    // "Name (last, first)": the bracketed note belongs to the label.
    const inBrackets = text.endsWith(")") && text.lastIndexOf("(", start) > text.lastIndexOf(")", start);
    if (value && !inBrackets)
      pairs.push({ label: text.slice(0, start - 1), value, factor: pairFactors.firstWords, marked: false });
  }
  return pairs;
}

/** Returns the start of the last sentence. A period after a short word is an abbreviation. */
function sentenceBegin(text: string): number {
  const end = text.lastIndexOf(". ");
  return end > 0 && /\p{L}{5}$/u.test(text.slice(0, end)) ? end + 2 : 0;
}

/**
 * Returns the start of the label before a colon, if another pair precedes it in the same text run.
 */
function labelBegin(text: string, from: number, colon: number): number {
  const between = text.slice(from + 1, colon);
  const mark = lastMark(between);
  if (mark >= 0) return from + 1 + mark;
  // All of the text that follows a value with digits is the label. If the value has no digits, only
  // the last word certainly belongs to the label.
  const behindValue = behindDigits(between.trimEnd());
  if (behindValue > 0) return from + 1 + behindValue;
  const space = between.trimEnd().lastIndexOf(" ");
  return space > 0 ? from + 1 + space + 1 : from + 1;
}

/** Returns the offset after the last word with a digit, or 0 if no text follows. */
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
 * Returns the nearest text run below that is left-aligned with the run or overlaps it horizontally.
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
