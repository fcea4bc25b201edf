/**
 * Finds the learned columns in a document by their headings, and assigns the texts of rows to the
 * columns.
 */
import type { Box } from "../../../reading/document.ts";
import { overlapShare, type TextRun, unionOf, wordAt } from "../../page/text-runs.ts";
import type { LearnedColumn, LearnedList } from "./learned.ts";
import type { MemoryPage } from "./memory-view.ts";
import { textOf } from "./readings.ts";
import { scaled } from "./skeleton.ts";
import { hashOf, labelKeyOf } from "./text-keys.ts";

/** A learned column with its position in this document. */
export interface PlacedColumn {
  column: LearnedColumn;
  left: number;
  right: number;
}

/** Minimum share of the learned headings that must be found. Chosen by hand, 2026-11. */
const minHeadings = 0.6;

/** Maximum number of rows that the headings of a list take up. */
const headRows = 3;

/**
 * Returns the columns at their positions in this document, if `row` is the last row of headings.
 * Undefined for any other row.
 */
export function headAt(
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

/** Maximum number of words in a heading. */
const maxHeadingWords = 6;

/** Returns the learned headings that occur in a row. A heading may be a part of a text run. */
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

/**
 * Returns the columns of a list without headings, if the row begins with the text that stood above
 * the first item in the learned document.
 */
export const startAt = (
  { start, columns }: LearnedList,
  { hashes }: MemoryPage,
  runs: readonly TextRun[],
): PlacedColumn[] | undefined =>
  start !== "" && runs[0] && hashes.get(runs[0]) === start
    ? columns.map((column) => ({ column, left: column.left, right: column.right }))
    : undefined;

/**
 * Maximum distance between a text and the edge of its column, in thousandths of the page's width.
 */
const maxEdge = 8;

/**
 * Assigns the texts of a row to columns. If a text spans several columns, each of its words is
 * assigned separately.
 */
export function cellsOf(
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

/** Returns the number of column groups that a text extends over. */
export const groupsOver = (page: MemoryPage, run: TextRun, columns: readonly PlacedColumn[]): number => {
  const box = scaled(page.runs, run.box);
  return new Set(columns.filter((placed) => isInside(placed, box)).map(({ column }) => column.group)).size;
};

/**
 * Minimum horizontal overlap of a column and a box that extends over it, as a share (0 to 1) of the
 * narrower one. Chosen by hand, 2026-11.
 */
const minOverlap = 0.3;

/**
 * Returns true if the box contains the edge to which the column is aligned, and overlaps the column
 * enough.
 */
const isInside = ({ column, left, right }: PlacedColumn, box: Box): boolean => {
  const edge = column.align === "left" ? left : right;
  return edge > box[0] - maxEdge && edge < box[2] + maxEdge && overlapShare(box, [left, 0, right, 1]) > minOverlap;
};

/**
 * Returns the column of a text: the column whose edge is at the edge of the text or, if there is
 * none, the column nearest to the middle of the text.
 */
function columnFor(box: Box, columns: readonly PlacedColumn[], near: number): PlacedColumn | undefined {
  const middle = (box[0] + box[2]) / 2;
  const distance = ({ column, left, right }: PlacedColumn): number => {
    const edge = column.align === "left" ? Math.abs(box[0] - left) : Math.abs(box[2] - right);
    return edge <= near ? edge / 1000 : 1 + Math.max(0, middle - right, left - middle);
  };
  return columns.reduce<PlacedColumn | undefined>((a, b) => (a && distance(a) <= distance(b) ? a : b), undefined);
}

/** Makes each column end before the next group of columns begins. */
function apart(columns: readonly PlacedColumn[]): PlacedColumn[] {
  return columns.map((placed) => {
    const next = columns
      .filter(({ column, left }) => column.group !== placed.column.group && left > placed.left)
      .reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY);
    return { ...placed, right: Math.max(placed.left, Math.min(placed.right, next - 1)) };
  });
}
