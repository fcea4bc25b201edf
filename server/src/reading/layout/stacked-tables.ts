/**
 * Joins grids that stand below each other and have the same columns into one table. Lines of text
 * between them become notes in the table.
 */

import { middleX, middleY } from "./geometry.ts";
import type { PlacedWord } from "./placed-word.ts";
import { condensed, inReadingOrder, type TableDraft, wordsOutside } from "./table-draft.ts";
import { rowsOf } from "./text-rows.ts";

/**
 * A ruled table that still has all columns of its grid, because empty columns are not removed yet.
 */
export interface GridTable extends TableDraft {
  /** Coordinates of the lines between the columns, and of the outer lines. */
  xs: readonly number[];
}

const sameEdge = 3;
/** Minimum number of columns that grids must have to be joined. Chosen by hand, 2026-11. */
const minColumns = 3;
/** Maximum number of lines of text between two grids that are joined. Chosen by hand, 2026-11. */
const maxLinesBetween = 14;

/**
 * Joins grids that stand below each other and have the same columns into one table.
 * @param words all words of the page
 */
export function joinStacked(grids: readonly GridTable[], words: readonly PlacedWord[]): TableDraft[] {
  if (grids.length < 2) return grids.flatMap((grid) => condensed(tableOf(grid)) ?? []);
  const free = wordsOutside(grids, words);
  const joined: GridTable[] = [];
  for (const grid of [...grids].sort((a, b) => a.box[1] - b.box[1])) {
    const above = joined.findLast((other) => isLike(other, grid));
    const between = above && linesBetween(above, grid, free);
    if (!above || !between) joined.push(grid);
    else joined[joined.indexOf(above)] = join(above, between, grid);
  }
  return joined.flatMap((grid) => condensed(tableOf(grid)) ?? []);
}

const tableOf = ({ xs: _, ...table }: GridTable): TableDraft => table;

function isLike(above: GridTable, below: GridTable): boolean {
  if (above.xs.length !== below.xs.length || above.xs.length <= minColumns || below.box[1] < above.box[3]) return false;
  if (!above.xs.every((x, index) => Math.abs(x - (below.xs[index] ?? 0)) <= sameEdge)) return false;
  return (condensed(tableOf(below))?.headerRows ?? 0) === 0;
}

/**
 * Returns the lines of text between two grids, or undefined if there are too many or if they are
 * not plain text.
 */
function linesBetween(above: GridTable, below: GridTable, words: readonly PlacedWord[]): PlacedWord[][] | undefined {
  const inside = words.filter((word) => middleY(word) > above.box[3] && middleY(word) < below.box[1]);
  const rows = rowsOf(inside, []);
  if (rows.length > maxLinesBetween || rows.some((row) => row.runs.length > 2)) return undefined;
  if (inside.some((word) => middleX(word) < above.box[0] || middleX(word) > above.box[2])) return undefined;
  return rows.map((row) => row.runs.flatMap((run) => run.words));
}

function join(above: GridTable, between: readonly PlacedWord[][], below: GridTable): GridTable {
  const { columns, rows, box } = above;
  const offset = rows + between.length;
  const notes = between.map((words, index) => ({
    row: rows + index,
    column: 0,
    rowSpan: 1,
    columnSpan: columns,
    box: [
      box[0],
      Math.min(...words.map((word) => word.box[1])),
      box[2],
      Math.max(...words.map((word) => word.box[3])),
    ] as const,
    words: inReadingOrder(words),
  }));
  const moved = below.cells.map((cell) => ({ ...cell, row: cell.row + offset }));
  return {
    ...above,
    box: [box[0], box[1], Math.max(box[2], below.box[2]), below.box[3]],
    rows: offset + below.rows,
    cells: [...above.cells, ...notes, ...moved],
  };
}
