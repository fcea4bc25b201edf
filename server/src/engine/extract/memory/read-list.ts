/** Reads a list by learned columns. */
import type { Box } from "../../../reading/document.ts";
import type { LeafValue } from "../../engine.ts";
import { overlapShare, type TextRun, unionOf, wordAt } from "../../page/text-runs.ts";
import type { LearnedColumn, LearnedList } from "./learned.ts";
import type { MemoryPage, MemoryView } from "./memory-view.ts";
import { isParsed, parsedIn, textOf, trimmed } from "./readings.ts";
import { scaled } from "./skeleton.ts";
import { hashOf, keyOf, labelKeyOf } from "./text-keys.ts";

export interface ReadCell {
  value: LeafValue;
  page: MemoryPage;
  words: readonly number[];
}
export type ReadRow = Map<string, ReadCell>;

/** A column at its place on this paper. */
interface PlacedColumn {
  column: LearnedColumn;
  left: number;
  right: number;
}

/** Minimum share of the headings that must be found again. Chosen by hand, 2026-11. */
const minHeadings = 0.6;

/** Returns the rows, or undefined if the list is not found by its headings or its start. */
export function readList(list: LearnedList, view: MemoryView): ReadRow[] | undefined {
  const headings = new Set(list.columns.flatMap(({ heading }) => (heading === "" ? [] : [heading])));
  const items: ReadRow[] = [];
  let isFound = false;
  for (const page of view.pages) {
    let lines: Line[] = [];
    let columns: PlacedColumn[] | undefined;
    const flush = (): void => {
      for (const item of itemsOf(lines)) items.push(cellsOfItem(item, list, view, page));
      lines = [];
    };
    for (const [row, runs] of page.runs.rows.entries()) {
      const placed = headings.size > 0 ? headAt(list, page, row, headings) : startAt(list, page, runs);
      if (placed) {
        flush();
        columns = placed;
        isFound = true;
        continue;
      }
      if (!columns || runs.length === 0) continue;
      const cells = cellsOf(page, runs, columns);
      const isWide = runs.some((run) => groupsOver(page, run, columns ?? []) > 1);
      const starts = startsItem(page, cells, list, view);
      if (isEnd(list, page, runs)) {
        flush();
        columns = undefined;
      } else
        lines.push({ top: topOf(runs), bottom: bottomOf(runs), height: runs[0]?.height ?? 1, cells, starts, isWide });
    }
    flush();
  }
  return isFound ? items : undefined;
}

/** A row of the page between the headings and the end of the list. */
interface Line {
  top: number;
  bottom: number;
  height: number;
  cells: ReadonlyMap<LearnedColumn, readonly number[]>;
  /** True if a text reaches over several columns, as one below the list. */
  isWide: boolean;
  /** True if it has what every first line of an item has. */
  starts: boolean;
}

/** The lines of an item, and which of them is the first. */
interface Item {
  lines: Line[];
  first: Line;
}

const topOf = (runs: readonly TextRun[]): number => Math.min(...runs.map(({ box }) => box[1]));
const bottomOf = (runs: readonly TextRun[]): number => Math.max(...runs.map(({ box }) => box[3]));

/** Maximum gap between the lines of an item, in line heights. */
const maxGap = 1.2;

/**
 * Groups lines around those that start an item. A line joins its nearest neighbour: a text beside
 * centred numbers begins above them.
 */
function itemsOf(lines: readonly Line[]): Item[] {
  const items: Item[] = [];
  let above: Line[] = [];
  for (const [at, line] of lines.entries()) {
    const [before, next] = [lines[at - 1], lines[at + 1]];
    const up = before ? line.top - before.bottom : Number.POSITIVE_INFINITY;
    const down = next ? next.top - line.bottom : Number.POSITIVE_INFINITY;
    const item = items.at(-1);
    if (line.starts) {
      items.push({ lines: [...above, line], first: line });
      above = [];
    } else if (line.isWide) above = [];
    else if (down < up - 1 && down < 0.5 * line.height) above.push(line);
    else if (item && up < maxGap * line.height && above.length === 0) item.lines.push(line);
    else above = [];
  }
  return items;
}

function cellsOfItem({ lines, first }: Item, list: LearnedList, view: MemoryView, page: MemoryPage): ReadRow {
  const cells = new Map<LearnedColumn, number[]>();
  const start = lines.indexOf(first);
  for (const column of list.columns) {
    if (column.item === undefined) continue;
    const joins = column.wraps || (!list.skips && !isParsed(column.reading));
    const words = lines.flatMap((line, at) =>
      at - start === column.line || joins ? [...(line.cells.get(column) ?? [])] : [],
    );
    cells.set(column, words);
  }
  return valuesOf(page, cells, list, view);
}

const isEnd = ({ ends }: LearnedList, { hashes, labels }: MemoryPage, runs: readonly TextRun[]): boolean =>
  runs.some((run) => ends.includes(hashes.get(run) ?? "-") || ends.includes(labels.get(run) ?? "-"));

/** Rows that headings may be printed in. */
const headRows = 3;

/** Returns the columns at the place of the headings if a row is the last one with headings. */
function headAt(
  list: LearnedList,
  page: MemoryPage,
  row: number,
  headings: ReadonlySet<string>,
): PlacedColumn[] | undefined {
  const found: Found[] = [];
  for (let at = row; at > row - headRows && at >= 0; at--) {
    const own = headingsIn(page, page.runs.rows[at] ?? [], headings);
    if (at === row && own.length === 0) return undefined;
    found.push(...own);
  }
  const share = new Set(found.map(({ hash }) => hash)).size / headings.size;
  if (share < minHeadings) return undefined;
  const shifts = list.columns.flatMap((column): Shift[] => {
    const heading = nearestHeading(column, found);
    return heading && column.headingBox ? [{ column, box: heading.box, learned: column.headingBox }] : [];
  });
  const placed = list.columns.map((column) => {
    const heading = shifts.find((each) => each.column === column) ?? nearestShift(column, shifts);
    if (!heading) return { column, left: column.left, right: column.right };
    const edge = column.align === "left" ? 0 : 2;
    const shift = heading.box[edge] - heading.learned[edge];
    return { column, left: column.left + shift, right: column.right + shift };
  });
  return apart(placed);
}

interface Found {
  hash: string;
  box: Box;
}

/** Maximum words of a heading. */
const maxHeadingWords = 6;

/** Returns the headings in a row, whether they are runs of their own or not. */
function headingsIn(page: MemoryPage, runs: readonly TextRun[], headings: ReadonlySet<string>): Found[] {
  return runs.flatMap(({ words }) =>
    words.flatMap((_, start) =>
      Array.from({ length: Math.min(maxHeadingWords, words.length - start) }, (_, more): Found[] => {
        const own = words.slice(start, start + more + 1);
        const hash = hashOf(labelKeyOf(textOf(page.runs, own)));
        if (!headings.has(hash)) return [];
        return [{ hash, box: scaled(page.runs, own.map((word) => wordAt(page.runs.page, word).box).reduce(unionOf)) }];
      }).flat(),
    ),
  );
}

function nearestHeading({ heading, headingBox }: LearnedColumn, found: readonly Found[]): Found | undefined {
  if (heading === "" || !headingBox) return undefined;
  const distance = ({ box }: Found): number => Math.abs(box[0] - headingBox[0]);
  return found
    .filter(({ hash }) => hash === heading)
    .reduce<Found | undefined>((a, b) => (a && distance(a) <= distance(b) ? a : b), undefined);
}

type Shift = { column: LearnedColumn; box: Box; learned: Box };

const nearestShift = ({ left }: LearnedColumn, shifts: readonly Shift[]): Shift | undefined =>
  shifts.reduce<Shift | undefined>(
    (a, b) => (a && Math.abs(a.column.left - left) <= Math.abs(b.column.left - left) ? a : b),
    undefined,
  );

/** Returns the columns of a list without headings if the row is the one above its first item. */
const startAt = (
  { start, columns }: LearnedList,
  { hashes }: MemoryPage,
  runs: readonly TextRun[],
): PlacedColumn[] | undefined =>
  start !== "" && runs[0] && hashes.get(runs[0]) === start
    ? columns.map((column) => ({ column, left: column.left, right: column.right }))
    : undefined;

/** Maximum distance of a text from the edge of its column, in thousandths of the page's width. */
const maxEdge = 8;

/** Assigns the texts of a row to columns: whole, or word by word if they reach over several. */
function cellsOf(
  page: MemoryPage,
  runs: readonly TextRun[],
  columns: readonly PlacedColumn[],
): Map<LearnedColumn, number[]> {
  const cells = new Map<LearnedColumn, number[]>();
  const add = (at: PlacedColumn | undefined, words: readonly number[]): void => {
    for (const { column } of columns.filter(({ column }) => column.group === at?.column.group))
      cells.set(column, [...(cells.get(column) ?? []), ...words]);
  };
  for (const run of runs) {
    const box = scaled(page.runs, run.box);
    if (groupsOver(page, run, columns) > 1)
      for (const word of run.words)
        add(columnFor(scaled(page.runs, wordAt(page.runs.page, word).box), columns, 0), [word]);
    else add(columnFor(box, columns, maxEdge), run.words);
  }
  return cells;
}

/** Returns how many columns of different cells a text reaches over. */
const groupsOver = (page: MemoryPage, run: TextRun, columns: readonly PlacedColumn[]): number => {
  const box = scaled(page.runs, run.box);
  return new Set(columns.filter((placed) => isInside(placed, box)).map(({ column }) => column.group)).size;
};

/** Returns true if most of a column, or its aligned edge, lies within the box. */
const isInside = ({ column, left, right }: PlacedColumn, box: Box): boolean => {
  const edge = column.align === "left" ? left : right;
  return edge > box[0] - maxEdge && edge < box[2] + maxEdge && overlapShare(box, [left, 0, right, 1]) > 0.3;
};

/** Returns the column of a text: one with the same edge, or the one at its middle. */
function columnFor(box: Box, columns: readonly PlacedColumn[], near: number): PlacedColumn | undefined {
  const middle = (box[0] + box[2]) / 2;
  const distance = ({ column, left, right }: PlacedColumn): number => {
    const edge = column.align === "left" ? Math.abs(box[0] - left) : Math.abs(box[2] - right);
    return edge <= near ? edge / 1000 : 1 + Math.max(0, middle - right, left - middle);
  };
  return columns.reduce<PlacedColumn | undefined>((a, b) => (a && distance(a) <= distance(b) ? a : b), undefined);
}

/** Ends each column before the next one begins. */
function apart(columns: readonly PlacedColumn[]): PlacedColumn[] {
  return columns.map((placed) => {
    const next = columns
      .filter(({ column, left }) => column.group !== placed.column.group && left > placed.left)
      .reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY);
    return { ...placed, right: Math.max(placed.left, Math.min(placed.right, next - 1)) };
  });
}

/** Minimum share of the columns that every item fills. Chosen by hand, 2026-11. */
const minKeys = 0.6;

/** Returns true if most columns that every item fills have a value of their form. */
function startsItem(
  page: MemoryPage,
  cells: ReadonlyMap<LearnedColumn, readonly number[]>,
  { columns }: LearnedList,
  view: MemoryView,
): boolean {
  const keys = columns.filter(({ key }) => key);
  const filled = (of: readonly LearnedColumn[]): number =>
    of.filter((column) => valueIn(page, cells.get(column) ?? [], column, view) !== undefined).length;
  // On a short list, columns that are not always filled look like those that are.
  if (keys.length > 2) return filled(keys) >= minKeys * keys.length;
  const needed =
    keys.length > 0 ? keys : columns.filter(({ item, line }) => item !== undefined && line === 0).slice(0, 1);
  return needed.length > 0 && filled(needed) === needed.length;
}

function valueIn(
  page: MemoryPage,
  all: readonly number[],
  column: LearnedColumn,
  { locale }: MemoryView,
): ReadCell | undefined {
  const words = all.slice(column.skipFirst, Math.max(column.skipFirst + 1, all.length - column.skipLast));
  const text = textOf(page.runs, words);
  if (isParsed(column.reading)) {
    const [found] = parsedIn(text, column.reading, locale).sort((a, b) => b.end - b.start - (a.end - a.start));
    return found ? { value: found.value, page, words: wordsOfSpan(page, words, found.start, found.end) } : undefined;
  }
  const value = column.reading === "compact" ? text.replace(/\s+/g, "") : trimmed(text);
  return keyOf(value) === "" ? undefined : { value, page, words };
}

function wordsOfSpan(page: MemoryPage, words: readonly number[], start: number, end: number): number[] {
  let at = 0;
  return words.filter((word) => {
    const from = at;
    at += wordAt(page.runs.page, word).text.length + 1;
    return from < end && at - 1 > start;
  });
}

function valuesOf(
  page: MemoryPage,
  cells: ReadonlyMap<LearnedColumn, readonly number[]>,
  { columns }: LearnedList,
  view: MemoryView,
): ReadRow {
  const row: ReadRow = new Map();
  for (const column of columns) {
    const words = cells.get(column);
    const cell =
      words && words.length > 0 && column.item !== undefined ? valueIn(page, words, column, view) : undefined;
    if (cell && column.item !== undefined) row.set(column.item, cell);
  }
  return row;
}
