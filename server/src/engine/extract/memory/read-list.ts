/** Reads a list from a document by learned columns. */
import type { LeafValue } from "../../engine.ts";
import { type TextRun, wordAt } from "../../page/text-runs.ts";
import type { LearnedColumn, LearnedList } from "./learned.ts";
import type { MemoryPage, MemoryView } from "./memory-view.ts";
import { cellsOf, groupsOver, headAt, type PlacedColumn, startAt } from "./place-columns.ts";
import { isParsed, parsedIn, textOf, trimmed } from "./readings.ts";
import { keyOf } from "./text-keys.ts";

export interface ReadCell {
  value: LeafValue;
  page: MemoryPage;
  words: readonly number[];
}
export type ReadRow = Map<string, ReadCell>;

/**
 * Returns the rows of the list. Undefined if the document has neither the learned headings nor the
 * text above the first item.
 */
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

/** A text row between the headings and the end of the list. */
interface Line {
  top: number;
  bottom: number;
  height: number;
  cells: ReadonlyMap<LearnedColumn, readonly number[]>;
  /**
   * True if one text extends over several groups of columns. Such a line is usually below the list.
   */
  isWide: boolean;
  /**
   * True if the line starts an item, because it has the values that the first row of every item
   * has.
   */
  starts: boolean;
}

/**
 * The lines of an item. `first` is the line that starts the item, although lines above it may also
 * belong to the item.
 */
interface Item {
  lines: Line[];
  first: Line;
}

const topOf = (runs: readonly TextRun[]): number => Math.min(...runs.map(({ box }) => box[1]));
const bottomOf = (runs: readonly TextRun[]): number => Math.max(...runs.map(({ box }) => box[3]));

/** Maximum gap between the lines of an item, in line heights. */
const maxGap = 1.2;

/**
 * Maximum gap, in line heights, below a line that belongs to an item but is above the line that
 * starts the item.
 */
const maxOwnGap = 0.5;

/**
 * Groups lines into items, each around a line that starts an item. Every other line joins the
 * nearer of the lines above and below it. It may join the line below, because numbers can be
 * centred beside a text of several lines.
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
    else if (down < up - 1 && down < maxOwnGap * line.height) above.push(line);
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

/**
 * A line starts an item if it has values in at least this share of the columns that every item
 * fills. Chosen by hand, 2026-11.
 */
const minKeys = 0.6;

/** Returns true if the line has values in most of the columns that every item fills. */
function startsItem(
  page: MemoryPage,
  cells: ReadonlyMap<LearnedColumn, readonly number[]>,
  { columns }: LearnedList,
  view: MemoryView,
): boolean {
  const keys = columns.filter(({ key }) => key);
  const filled = (of: readonly LearnedColumn[]): number =>
    of.filter((column) => valueIn(page, cells.get(column) ?? [], column, view) !== undefined).length;
  // In a short list, a column may be filled in every item by chance. So a line can start an item
  // even if some of these columns are empty.
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
