/** What may be the label of a value: the words before it, to its left, above it, and both heads of its table cell. */
import type { Box } from "../../reading/document.ts";
import { labelTerms } from "./labels.ts";
import { besides, centreY, overlapX, type PageLayout, rowsAround, type Segment } from "./layout.ts";

export interface Context {
  text: string;
  /** 0 to 1: how surely a label in this place belongs to the value. */
  factor: number;
}

const maxRowsUp = 60;
const maxInlineLength = 90;
const maxLabelLength = 70;

export const hasWords = (text: string): boolean => labelTerms(text).some((term) => term.weight > 0);

/** The contexts of the value at characters `[start, end)` of the segment, which fills `box`. */
export function contextsOf(layout: PageLayout, segment: Segment, start: number, end: number, box: Box): Context[] {
  const inline = inlineLabel(segment.text, start);
  const suffix = segment.text.slice(end, end + 25).match(/^\s*[(]?\p{L}[\p{L}. ]*/u)?.[0] ?? "";
  const left = hasWords(inline) ? [] : leftLabels(layout, segment);
  const sure = /[:#]\s*$/.test(inline) || /[:#]\s*$/.test(left[0]?.text ?? "") || hasWords(inline);
  const above = aboveLabels(layout, segment, box);
  const contexts: Context[] = [];
  if (hasWords(inline)) contexts.push({ text: inline, factor: 1 });
  contexts.push(...left);
  for (const context of above) contexts.push({ text: context.text, factor: context.factor * (sure ? 0.55 : 1) });
  const head = hasWords(inline) ? { text: inline, factor: 1 } : left.at(-1);
  const column = above[0];
  if (head && column) contexts.push(...tableContexts(head, column));
  const first = contexts[0];
  if (first && hasWords(suffix)) contexts.push({ text: `${plain(first.text)} ${suffix}`, factor: first.factor * 0.95 });
  return contexts;
}

/** The heads of a value's row and column together. In the row of the sums the column's head says what they are of. */
function tableContexts(head: Context, column: Context): Context[] {
  const both = `${plain(head.text)} ${plain(column.text)}`;
  const said = labelTerms(head.text).filter((term) => term.weight > 0);
  const isSum =
    said.length > 0 && said.every((term) => term.texts.some((text) => text === "total" || text === "grand"));
  if (!isSum) return [{ text: both, factor: 0.85 * head.factor }];
  return [both, column.text].map((text) => ({ text, factor: sumRowFactor }));
}

const sumRowFactor = 0.98;

/** Without the marks that would part the joined label. */
const plain = (text: string): string => text.replace(/[:;,()]/g, " ");

/** The words before the value, from the last sentence end on. */
function inlineLabel(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - maxInlineLength), start);
  const cut = Math.max(before.lastIndexOf(". "), before.lastIndexOf("; "), before.lastIndexOf(" | "));
  const last =
    cut > 0 && cut < before.length - 3 && !/\b\p{L}{1,4}\. $/u.test(before.slice(0, cut + 2))
      ? before.slice(cut + 2)
      : before;
  return last;
}

function leftLabels(layout: PageLayout, segment: Segment): Context[] {
  const own = (layout.rows[segment.row] ?? []).slice(0, segment.column + 1);
  const labelled = own.some((other) => other !== segment && hasWords(other.text));
  const row = labelled ? own : [...leaningRow(layout, own[0] ?? segment), ...own];
  const found: Context[] = [];
  let skipped = 0;
  for (let at = row.indexOf(segment) - 1; at >= 0 && skipped < 12; at--) {
    const text = row[at]?.text ?? "";
    if (hasWords(text)) {
      const ownValue = /:\s*\S*\d\S*$/.test(text);
      found.push({ text, factor: (skipped === 0 ? 0.97 : 0.86) * (ownValue ? 0.4 : 1) });
      if (!isShort(text)) break;
      // A note between the label and the value ("19%", "EUR") has no words; a second text further left is the head of the row.
      if (found.length === 2) break;
      skipped++;
    } else skipped++;
  }
  return found.map((context, at) => (at === 0 ? context : { ...context, factor: context.factor * 0.75 }));
}

/** Segments of the neighbouring rows that stand to the left all the same. */
const leaningRow = (layout: PageLayout, segment: Segment): Segment[] =>
  rowsAround(layout, segment)
    .filter((other) => besides(other, segment))
    .sort((a, b) => a.box[0] - b.box[0]);

const isShort = (text: string): boolean => text.length <= maxLabelLength;

/** The next text above that overlaps; values of the same column between are passed over. */
function aboveLabels(layout: PageLayout, segment: Segment, box: Box): Context[] {
  let passed = 0;
  let low: Segment = segment;
  for (let up = segment.row - 1; up >= 0 && segment.row - up <= maxRowsUp; up--) {
    const over = mostOverlapping(layout.rows[up] ?? [], box);
    if (!over) continue;
    if (passed === 0 && centreY(box) - centreY(over.box) > 6 * segment.height) return [];
    if (!hasWords(over.text)) {
      passed++;
      low = over;
      continue;
    }
    if (!isShort(over.text) || isPair(over.text)) return [];
    const near = box[1] - over.box[3] < 1.6 * segment.height;
    const factor = passed === 0 ? (near ? 0.92 : 0.78) : 0.8;
    const upper = stackedAbove(layout, over, box);
    const contexts = [{ text: over.text, factor }];
    if (upper) contexts.unshift({ text: `${plain(upper.text)} ${plain(over.text)}`, factor });
    return centreY(low.box) - centreY(over.box) > 30 * segment.height ? [] : contexts;
  }
  return [];
}

/** The upper line of a label of two lines. */
function stackedAbove(layout: PageLayout, label: Segment, box: Box): Segment | undefined {
  const over = mostOverlapping(layout.rows[label.row - 1] ?? [], box);
  const close = over && label.box[1] - over.box[3] < 0.6 * label.height;
  return close && over.bold === label.bold && isShort(over.text) && !/\d/.test(over.text) && !/:\s*$/.test(over.text)
    ? over
    : undefined;
}

/** A label with a value of its own. */
const isPair = (text: string): boolean => /\d/.test(text) && /:\s*\S|\d{3}/.test(text);

function mostOverlapping(row: readonly Segment[], box: Box): Segment | undefined {
  let best: Segment | undefined;
  let most = 0.15;
  // Segments of a row stand side by side: from the last that begins before the box's end, leftwards.
  for (let at = lastBefore(row, box[2]); at >= 0; at--) {
    const other = row[at];
    if (!other || other.box[2] < box[0]) break;
    const shared = overlapX(other.box, box);
    if (shared > most) [best, most] = [other, shared];
  }
  return best;
}

/** Index of the last segment that begins left of `x`; -1 if there is none. */
function lastBefore(row: readonly Segment[], x: number): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((row[middle]?.box[0] ?? x) < x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
