/** Pairs of label and value, for values of free text: the text after a label, to its right, or below it. */

import { tickedOf } from "./checkboxes.ts";
import { type RunSpan, spanText, trimmed, whole } from "./run-spans.ts";
import { besides, overlapShare, type PageRuns, rowsAround, type TextRun } from "./text-runs.ts";

export interface Pair {
  label: string;
  value: RunSpan;
  /** 0 to 1: how surely the two belong together. */
  factor: number;
  /** True if a colon or a gap separates the two. */
  marked: boolean;
}

const maxLabelWords = 7;
const maxLabelLength = 70;

/** Everything in the run that can be read as a label with its value; of options the one that is ticked. */
export function pairsOf(page: PageRuns, run: TextRun): Pair[] {
  return allPairs(page, run).flatMap((pair) => {
    const value = isFilled(spanText(pair.value)) ? tickedOf(pair.value) : undefined;
    return value ? [value === pair.value ? pair : { ...pair, value, marked: true }] : [];
  });
}

/** False for a line that waits for a value. */
const isFilled = (text: string): boolean => !/^[\s_.…·-]*$/u.test(text);

function allPairs(page: PageRuns, run: TextRun): Pair[] {
  const pairs = inlinePairs(page, run);
  const text = run.text;
  if (text.length > maxLabelLength || hasOwnValue(text)) return pairs;
  const marked = /[:：]\s*$/.test(text);
  const right = page.rows[run.row]?.[run.column + 1] ?? (marked ? leaningRight(page, run) : undefined);
  if (right && !endsAsLabel(right.text) && !headsColumns(page, run))
    pairs.push({ label: text, value: whole(page, right), factor: marked ? 0.97 : 0.85, marked: true });
  const below = runBelow(page, run);
  const named = below && nameBelow(page, below);
  if (named) pairs.push({ label: text, value: named, factor: underHeading, marked: true });
  else if (below && !endsAsLabel(below.text))
    pairs.push({
      label: text,
      value: whole(page, below),
      factor: (marked ? 0.85 : 0.78) * (right && marked ? 0.7 : 1),
      marked: true,
    });
  return pairs;
}

const minColumns = 3;
const ruleCache = new WeakMap<readonly TextRun[], boolean>();

/** True in a row of labels over a row of values: there the next label stands to the right. */
function headsColumns(page: PageRuns, run: TextRun): boolean {
  const row = page.rows[run.row] ?? [];
  const known = ruleCache.get(row);
  if (known !== undefined) return known;
  const below = page.rows[run.row + 1] ?? [];
  const under = row.filter((head) =>
    below.some((value) => /\d/.test(value.text) && overlapShare(head.box, value.box) > 0.3),
  );
  const heads = row.length >= minColumns && row.every((head) => !/[\d:]/.test(head.text)) && under.length >= minColumns;
  ruleCache.set(row, heads);
  return heads;
}

const underHeading = 0.78;
const nameLabel = /^(?:\p{L}+[ -]){0,3}(?:name|nom|nombre|nome|naam)(?: \([^()]{1,30}\))?:?$/iu;

/** Below the heading of a section, "Full legal name: …" or "Provider name" is the name of the one whom the heading tells. */
function nameBelow(page: PageRuns, below: TextRun): RunSpan | undefined {
  const [lead] = /^[^:]{3,40}(?=: \S)/u.exec(below.text) ?? [];
  if (lead && nameLabel.test(lead)) return trimmed(page, below, lead.length + 1, below.text.length);
  if (!nameLabel.test(below.text)) return undefined;
  const value = endsAsLabel(below.text) ? page.rows[below.row]?.[below.column + 1] : runBelow(page, below);
  return value && whole(page, value);
}

/** `label: value` in one text: neither to its right nor below stands another value. */
const hasOwnValue = (text: string): boolean => /\p{L}\s?[:：]\s+[^\s:]/u.test(text);

/** The nearest run to the right on a neighbouring row that overlaps in height. */
function leaningRight(page: PageRuns, run: TextRun): TextRun | undefined {
  const beside = rowsAround(page, run).filter((other) => besides(run, other));
  return beside.sort((a, b) => a.box[0] - b.box[0])[0];
}

export const endsAsLabel = (text: string): boolean => /[:：]\s*$/.test(text);

/** `label: value` by each colon, and `label value` by each of the first words. */
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
    if (value && inner > 0) pairs.push({ label: text.slice(inner, colon), value, factor: 0.95, marked: true });
  });
  // Before a colon stands one label; without one, any of the first words may end it.
  const mostWords = colons.length > 0 ? 0 : Math.min(maxLabelWords, starts.length - 1);
  for (let count = 1; count <= mostWords; count++) {
    const start = starts[count] ?? 0;
    const value = trimmed(page, run, start, text.length);
    // "Name (last, first)": a note to the label.
    const inBrackets = text.endsWith(")") && text.lastIndexOf("(", start) > text.lastIndexOf(")", start);
    if (value && !inBrackets) pairs.push({ label: text.slice(0, start - 1), value, factor: 0.8, marked: false });
  }
  return pairs;
}

/** Where the last sentence begins; the dot of a short word ends none. */
function sentenceBegin(text: string): number {
  const end = text.lastIndexOf(". ");
  return end > 0 && /\p{L}{5}$/u.test(text.slice(0, end)) ? end + 2 : 0;
}

/** Where the label before the colon begins, if another pair stands before it in the same text. */
function labelBegin(text: string, from: number, colon: number): number {
  const between = text.slice(from + 1, colon);
  const mark = lastMark(between);
  if (mark >= 0) return from + 1 + mark;
  // Behind a value with digits all that follows is the label; behind words only the last can be told to be one.
  const behindValue = behindDigits(between.trimEnd());
  if (behindValue > 0) return from + 1 + behindValue;
  const space = between.trimEnd().lastIndexOf(" ");
  return space > 0 ? from + 1 + space + 1 : from + 1;
}

/** Where the text goes on behind its last word with a digit; 0 if there is none, or nothing behind it. */
function behindDigits(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && !/\d/.test(text[at] ?? "")) at--;
  return at < 0 ? 0 : text.indexOf(" ", at) + 1;
}

/** Where the text goes on behind its last mark between statements; -1 if it has none. */
function lastMark(between: string): number {
  const mark = Math.max(...statementMarks.map((text) => between.lastIndexOf(text)));
  return mark < 0 ? -1 : mark + 2;
}

const statementMarks = [" - ", " – ", ", ", "; ", " | ", " · "];

const maxGapBelow = 2.2;

/** The nearest run below that begins at the same left edge or lies under it. */
export function runBelow(page: PageRuns, run: TextRun): TextRun | undefined {
  for (let down = run.row + 1; down < page.rows.length && down <= run.row + 4; down++) {
    for (const other of page.rows[down] ?? []) {
      if (other.box[1] - run.box[3] > maxGapBelow * run.height) return undefined;
      const aligned = Math.abs(other.box[0] - run.box[0]) < 0.8 * run.height;
      if (aligned || overlapShare(other.box, run.box) > 0.5) return other;
    }
  }
  return undefined;
}
