/**
 * Determines the reading order. A gutter is a vertical strip of white space between two columns.
 * Where nothing crosses a gutter, the page is split into columns. The rest is read row by row.
 * White space between labels and values, or between the cells of a row, is not a gutter: such rows
 * are read across.
 */
import type { Box } from "../document.ts";
import { type Boxed, heightOf, median, sorted, unionOf, verticalOverlap, widthOf } from "./geometry.ts";
import type { Ruling } from "./page-content.ts";
import { acrossShares, maxSideHeadFill, proseShares, sameBaseline } from "./reading-order-weights.ts";

/** An item that is put in order: a text run, a whole table, or a whole frame. */
export interface Item extends Boxed {
  /** Font size of the text. 0 for a table or frame, which never shares a row with other items. */
  size: number;
  baseline: number;
  text: string;
}

/** Minimum width of a gutter, as a multiple of the font size. Chosen by hand, 2026-11. */
const gutterOfSize = 1;
/**
 * Minimum height of white space that ends a column, as a multiple of the font size. Chosen by hand,
 * 2026-11.
 */
const apartOfSize = 2.2;
/**
 * Lower limit of the font size that `apartOfSize` is multiplied by, in points. Chosen by hand,
 * 2026-11.
 */
const minApartSize = 6;
/**
 * Maximum nesting depth of gutters. Content that is nested deeper is read row by row. Chosen by
 * hand, 2026-11.
 */
const maxDepth = 40;
/**
 * Maximum number of items. If there are more, they are read row by row. Chosen by hand, 2026-11.
 */
const maxItems = 3000;

/**
 * Returns groups of rows in reading order. Each row is sorted from left to right. A group is a
 * column, or the content between columns.
 */
export function inOrder<T extends Item>(items: readonly T[], horizontal: readonly Ruling[]): T[][][] {
  if (items.length > maxItems) return [rowsAcross(items)];
  return split(items, horizontal, 0);
}

function split<T extends Item>(items: readonly T[], horizontal: readonly Ruling[], depth: number): T[][][] {
  if (items.length === 0) return [];
  if (items.length === 1 || depth > maxDepth) return [rowsAcross(items)];
  const gutter = bestGutter(items, horizontal);
  if (gutter === undefined) return [rowsAcross(items)];
  return gutter.bands.flatMap((band) => {
    if (band.kind === "across") return split(band.items, horizontal, depth + 1);
    return [...split(band.left, horizontal, depth + 1), ...split(band.right, horizontal, depth + 1)];
  });
}

type Band<T> = { kind: "across"; items: T[] } | { kind: "columns"; left: T[]; right: T[] };

interface Gutter<T> {
  bands: Band<T>[];
  score: number;
}

/**
 * Returns the gutter that separates the most text. Ties are broken in favour of the leftmost
 * gutter. Returns undefined if no gutter separates any text.
 */
function bestGutter<T extends Item>(items: readonly T[], horizontal: readonly Ruling[]): Gutter<T> | undefined {
  const ordered = sorted(items, (a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0]);
  const width = gutterOfSize * Math.max(median(items.filter(({ size }) => size > 0).map(({ size }) => size)), 4);
  let best: (Gutter<T> & { at: number }) | undefined;
  for (const { at, most } of candidates(ordered, width)) {
    if (best !== undefined && most < best.score) break;
    const rules = horizontal.filter(({ from, to }) => from < at - 2 * width && to > at + width).map((rule) => rule.at);
    const gutter = gutterAt(ordered, at - width, at, rules);
    if (gutter === undefined) continue;
    const isLevel = best !== undefined && gutter.score === best.score && at < best.at;
    if (best === undefined || gutter.score > best.score || isLevel) best = { ...gutter, at };
  }
  return best;
}

interface Candidate {
  at: number;
  /** Upper bound of the score of the gutter. */
  most: number;
}

/**
 * Returns the candidates for the right edge of a gutter, which are the left edges of items. At most
 * half of the items may cross the gutter. Candidates are sorted by the upper bound of their score,
 * highest first, so that few of them need to be scored exactly.
 */
function candidates(items: readonly Item[], width: number): Candidate[] {
  const starts = [...new Set(items.map(({ box }) => Math.floor(box[0])))].sort((a, b) => a - b);
  const first = starts[0] ?? 0;
  const found: Candidate[] = [];
  for (const at of starts) {
    if (at <= first + width) continue;
    let [crossing, left, right] = [0, 0, 0];
    for (const { box } of items) {
      if (crosses(box, at - width, at)) crossing++;
      else if (isLeftOf(at, box)) left += box[3] - box[1];
      else right += box[3] - box[1];
    }
    // The bound is raised a little, because adding the same heights in a different order may give a
    // slightly different sum.
    if (crossing * 2 <= items.length) found.push({ at, most: Math.min(left, right) * (1 + rounding) });
  }
  return found.filter(({ most }) => most > 0).sort((a, b) => b.most - a.most);
}

/** Maximum relative difference between sums of the same numbers in different orders. */
const rounding = 1e-9;

const isLeftOf = (at: number, box: Box): boolean => (box[0] + box[2]) / 2 < at;

const crosses = (box: Box, from: number, to: number): boolean => box[0] < from + 0.5 && box[2] > to + 0.5;

/**
 * Splits the items at a gutter into bands, from top to bottom. In a band, the items either form
 * columns to the left and right of the gutter, or are read across it. Returns undefined if the
 * gutter separates no text.
 */
function gutterAt<T extends Item>(
  items: readonly T[],
  from: number,
  to: number,
  rules: readonly number[],
): Gutter<T> | undefined {
  const sequences = sequencesOf(items, from, to);
  const gains = sequences.map(({ left, right, across }) => (across.length > 0 ? 0 : columnGain(left, right, rules)));
  const score = gains.reduce((sum, gain) => sum + gain, 0);
  if (score === 0) return undefined;
  const bands: Band<T>[] = [];
  for (const [index, { left, right, across }] of sequences.entries()) {
    if (gains[index] !== 0) bands.push({ kind: "columns", left, right });
    else joinAcross(bands, [...left, ...right, ...across]);
  }
  return { bands, score };
}

function joinAcross<T>(bands: Band<T>[], items: T[]): void {
  const last = bands.at(-1);
  if (last?.kind === "across") last.items.push(...items);
  else bands.push({ kind: "across", items });
}

interface ItemSequence<T> {
  left: T[];
  right: T[];
  across: T[];
}

/**
 * Splits items, which must be sorted from the top, into sequences. In a sequence, either some items
 * cross the gutter or no item does. Text beside a crossing item is in the same sequence as that
 * item.
 */
function sequencesOf<T extends Item>(items: readonly T[], from: number, to: number): ItemSequence<T>[] {
  const zones = joinedZones(items.filter(({ box }) => crosses(box, from, to)));
  const sequences: ItemSequence<T>[] = [];
  let open: { zone: number; sequence: ItemSequence<T>; bottom: number } | undefined;
  for (const item of items) {
    const zone = zoneOf(zones, item);
    const isApart = open !== undefined && item.box[1] - open.bottom > apartOfSize * Math.max(item.size, minApartSize);
    if (open === undefined || open.zone !== zone || isApart) {
      open = { zone, sequence: { left: [], right: [], across: [] }, bottom: item.box[3] };
      sequences.push(open.sequence);
    }
    const { sequence } = open;
    open.bottom = Math.max(open.bottom, item.box[3]);
    if (zone % 2 === 1) sequence.across.push(item);
    else if (isLeftOf(to, item.box)) sequence.left.push(item);
    else sequence.right.push(item);
  }
  return sequences;
}

/**
 * Returns the vertical ranges that the parts cover. Ranges that touch are joined. The parts must be
 * sorted from the top.
 */
function joinedZones(parts: readonly Boxed[]): [number, number][] {
  const zones: [number, number][] = [];
  for (const { box } of parts) {
    const last = zones.at(-1);
    if (last && box[1] <= last[1]) last[1] = Math.max(last[1], box[3]);
    else zones.push([box[1], box[3]]);
  }
  return zones;
}

/**
 * Returns 2n + 1 for a box whose middle is in zone n, and 2n for a box whose middle is between
 * zones n − 1 and n.
 */
function zoneOf(zones: readonly (readonly [number, number])[], { box }: Boxed): number {
  const middle = (box[1] + box[3]) / 2;
  const index = zones.findIndex((zone) => middle <= zone[1]);
  if (index < 0) return zones.length * 2;
  return middle >= (zones[index]?.[0] ?? 0) ? index * 2 + 1 : index * 2;
}

/**
 * Returns how much text a gutter separates, as a height in points. Returns 0 if the text is read
 * row by row across the gutter.
 */
function columnGain(left: readonly Item[], right: readonly Item[], rules: readonly number[]): number {
  if (left.length === 0 || right.length === 0) return 0;
  if (verticalOverlap(unionOf(left), unionOf(right)) <= 0) return 0;
  const lines = Math.min(lineCount(left), lineCount(right));
  if (lines < 2 && !isApart(left, right)) return 0;
  if (isRuledAcross(left, right, rules) || isReadAcross(left, right)) return 0;
  return Math.min(textHeight(left), textHeight(right));
}

/**
 * Returns true if one side is a single table or frame. Also returns true if one side is a single
 * line, and the other side has at least three lines, none of which is on the same baseline as the
 * single line.
 */
function isApart(left: readonly Item[], right: readonly Item[]): boolean {
  const [single, others] = left.length === 1 ? [left, right] : [right, left];
  const [only] = single;
  if (single.length !== 1 || only === undefined) return false;
  return only.size === 0 || (others.length >= 3 && !others.some((other) => onOneLine(only, other)));
}

const lineCount = (items: readonly Item[]): number =>
  new Set(items.map(({ baseline }) => Math.round(baseline / 3))).size;
const textHeight = (items: readonly Item[]): number => items.reduce((sum, item) => sum + heightOf(item), 0);

/** Returns true if ruled lines across the gutter separate most rows, as in a form. */
function isRuledAcross(left: readonly Item[], right: readonly Item[], rules: readonly number[]): boolean {
  if (rules.length === 0) return false;
  const [, top, , bottom] = unionOf([...left, ...right]);
  const between = rules.filter((at) => at > top + 2 && at < bottom - 2).length;
  return between >= 1 && between >= acrossShares.ruled * (Math.min(lineCount(left), lineCount(right)) - 1);
}

/**
 * Returns true for labels beside their values, and for the cells of a list. In both cases, most
 * lines on the side with fewer lines have the same baseline as a line on the other side.
 */
function isReadAcross(left: readonly Item[], right: readonly Item[]): boolean {
  if ([...left, ...right].some(({ size }) => size === 0)) return false;
  const fewer = left.length <= right.length ? left : right;
  const others = fewer === left ? right : left;
  const aligned = fewer.filter((item) => others.some((other) => onOneLine(item, other))).length;
  if (aligned < acrossShares.aligned * fewer.length) return false;
  if (isProse(left) && isProse(right)) return false;
  if (isSideHeads(left, right)) return true;
  return (
    share(left, isLabel) >= acrossShares.labels ||
    share(right, isValue) >= acrossShares.values ||
    (share(left, isShort) >= acrossShares.short && share(right, isValue) >= acrossShares.valuesBesideShort)
  );
}

/**
 * Returns true if the left side consists of short headings with white space below them. Each
 * heading has the same baseline as the first line of its text on the right side.
 */
function isSideHeads(left: readonly Item[], right: readonly Item[]): boolean {
  if (left.length < 2 || left.length * 2 > right.length || !left.every(isShort)) return false;
  const [, top, , bottom] = unionOf(left);
  const isSparse = textHeight(left) < maxSideHeadFill * (bottom - top);
  return isSparse && left.every((item) => right.some((other) => onOneLine(item, other)));
}

const onOneLine = (a: Item, b: Item): boolean =>
  Math.abs(a.baseline - b.baseline) <= sameBaseline * Math.max(a.size, b.size);
const share = (items: readonly Item[], test: (item: Item) => boolean): number =>
  items.filter(test).length / items.length;
const isLabel = ({ text }: Item): boolean => /[:：]$/.test(text);
const isShort = ({ text }: Item): boolean => text.length <= 25;
const isValue = ({ text }: Item): boolean => {
  const count = text.match(/\d/g)?.length ?? 0;
  return count > 0 && count * 2 >= text.replaceAll(/\s/g, "").length;
};

/** Returns true for prose: most lines are long and as wide as the column. */
function isProse(items: readonly Item[]): boolean {
  if (items.length < 3) return false;
  const width = unionOf(items)[2] - unionOf(items)[0];
  const full = items.filter((item) => item.text.length >= 20 && widthOf(item) >= proseShares.fullWidth * width).length;
  return full >= proseShares.fullLines * items.length;
}

/** Returns all items row by row from the top. Each row is sorted from left to right. */
export function rowsAcross<T extends Item>(items: readonly T[]): T[][] {
  const rows: T[][] = [];
  for (const item of sorted(items, (a, b) => a.baseline - b.baseline || a.box[0] - b.box[0])) {
    const last = rows.at(-1);
    const first = last?.[0];
    if (last && first && item.size > 0 && first.size > 0 && onOneLine(first, item)) last.push(item);
    else rows.push([item]);
  }
  for (const row of rows) if (row.length > 1) row.sort((a, b) => a.box[0] - b.box[0]);
  return rows;
}
