/** Tables with a drawn grid. */
import type { Box } from "../document.ts";
import { middleX, middleY, unionOf } from "./geometry.ts";
import { logicalRows } from "./logical-rows.ts";
import { isNumber } from "./number-words.ts";
import type { PlacedWord } from "./placed-word.ts";
import type { Grid } from "./ruled-grid.ts";
import type { GridTable } from "./stacked-tables.ts";
import { type DraftCell, inReadingOrder, isTable, type TableDraft, textOfCell } from "./table-draft.ts";
import { rowsOf, type TextRow, wordRows } from "./text-rows.ts";

/**
 * A single row of drawn cells with words. It may be the header of a table whose other rows have no
 * drawn lines.
 */
export interface HeaderBand {
  box: Box;
  /** Left and right edge of each cell. */
  cells: (readonly [from: number, to: number])[];
}

export interface GridContent {
  tables: GridTable[];
  bands: HeaderBand[];
}

/**
 * Returns the tables and header rows of a grid. Adjacent frames form a grid too, so the grid is
 * split wherever two neighbouring rows have different columns. A part with fewer than two rows or
 * columns is not a table.
 */
export function ruledTables(grid: Grid, words: readonly PlacedWord[]): GridContent {
  const cells = filledCells(grid, words);
  const content: GridContent = { tables: [], bands: [] };
  for (const [from, to] of partsOf(grid, cells)) {
    const part = cells.filter((cell) => cell.row >= from && cell.row + cell.rowSpan <= to);
    const table = tableOf(part, from, to, grid);
    if (table) content.tables.push(table);
    else content.bands.push(...bandsOf(part));
  }
  return content;
}

function tableOf(part: readonly DraftCell[], from: number, to: number, grid: Grid): GridTable | undefined {
  const filled = part.filter((cell) => cell.words.length > 0);
  if (filled.length < 3) return undefined;
  const rows = [...Map.groupBy(filled, ({ row }) => row).values()];
  if (rows.filter(({ length }) => length > 1).length * 2 < rows.length) return undefined;
  const framed = filled.filter((cell) => cell.words.length > 10 && isScattered(cell));
  if (countWords(framed) * 2 > countWords(filled)) return undefined;
  const frame = { box: unionOf(part), headerRows: 0, ruled: true, columns: grid.xs.length - 1, xs: grid.xs };
  const draft = { ...frame, ...splitRows(part, from, to, grid) };
  return isTable(draft) ? draft : undefined;
}

const countWords = (cells: readonly DraftCell[]): number => cells.reduce((sum, { words }) => sum + words.length, 0);

/** Minimum number of cells of a header row. Chosen by hand, 2026-11. */
const minBandCells = 3;

function bandsOf(part: readonly DraftCell[]): HeaderBand[] {
  const byRow = Map.groupBy(
    part.filter(({ words }) => words.length > 0),
    ({ row }) => row,
  );
  return [...byRow.values()]
    .filter((row) => row.length >= minBandCells && !row.some((cell) => isNumber(textOfCell(cell)) || isScattered(cell)))
    .map((row) => ({ box: unionOf(row), cells: row.map(({ box }) => [box[0], box[2]] as const) }));
}

function filledCells(grid: Grid, words: readonly PlacedWord[]): DraftCell[] {
  const filled = grid.cells.map((cell): DraftCell => ({ ...cell, words: [] }));
  const cellAt = cellFinder(grid, filled);
  for (const word of words) cellAt(middleX(word), middleY(word))?.words.push(word);
  for (const cell of filled) cell.words = inReadingOrder(cell.words);
  return filled.some(isWide) ? filled.flatMap((cell) => spread(cell, grid.xs)) : filled;
}

const isWide = ({ columnSpan }: DraftCell): boolean => columnSpan >= 3;

/**
 * Splits a cell that spans at least three columns if it has a single line of at least three text
 * runs, each of which is in a different column. Such a cell is really several cells, and only the
 * lines between them are missing.
 */
function spread(cell: DraftCell, xs: readonly number[]): DraftCell[] {
  const lines = isWide(cell) ? rowsOf(cell.words, []) : [];
  const runs = lines[0]?.runs ?? [];
  const columns = runs.map(({ box }) => [placeOf(xs, box[0]), placeOf(xs, box[2])] as const);
  const distinct = new Set(columns.map(([first]) => first)).size === runs.length;
  if (lines.length !== 1 || runs.length < 3 || !distinct || columns.some(([first, last]) => first !== last))
    return [cell];
  return runs.map(({ words }, index) => {
    const column = columns[index]?.[0] ?? cell.column;
    const box: Box = [xs[column] ?? 0, cell.box[1], xs[column + 1] ?? 0, cell.box[3]];
    return { ...cell, column, columnSpan: 1, box, words: [...words] };
  });
}

function cellFinder({ xs, ys }: Grid, cells: readonly DraftCell[]): (x: number, y: number) => DraftCell | undefined {
  const columns = xs.length - 1;
  const owners: (DraftCell | undefined)[] = new Array(columns * (ys.length - 1));
  for (const cell of cells) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
      owners.fill(cell, row * columns + cell.column, row * columns + cell.column + cell.columnSpan);
    }
  }
  return (x, y) => {
    const column = placeOf(xs, x);
    const row = placeOf(ys, y);
    return column < 0 || row < 0 ? undefined : owners[row * columns + column];
  };
}

/**
 * Returns the index of the interval between two neighbouring lines that contains the value. Returns
 * -1 if the value is outside all intervals.
 */
function placeOf(lines: readonly number[], value: number): number {
  const next = lines.findIndex((line) => line > value);
  return next <= 0 ? -1 : next - 1;
}

/** Returns groups of consecutive rows with the same columns, as ranges `[from, to)`. */
function partsOf(grid: Grid, cells: readonly DraftCell[]): [number, number][] {
  const rows = grid.ys.length - 1;
  const byRow: GridRow[] = Array.from({ length: rows }, () => ({ cells: [] }));
  const cellsAt = (row: number): GridRow => byRow[row] ?? { cells: [] };
  for (const cell of cells) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++) cellsAt(row).cells.push(cell);
  }
  const parts: [number, number][] = [];
  let from = 0;
  for (let row = 1; row <= rows; row++) {
    if (row < rows && belongTogether(cellsAt(row - 1), cellsAt(row))) continue;
    if (row - from > 0) parts.push([from, row]);
    from = row;
  }
  return parts;
}

/** The cells that cover part of one row of the grid. */
interface GridRow {
  cells: DraftCell[];
  /** Cached, because each row is compared with the rows above and below it. */
  isFrame?: boolean;
}

function belongTogether(above: GridRow, below: GridRow): boolean {
  const upper = above.cells;
  const lower = below.cells;
  if (upper.length === 0 || lower.length === 0) return false;
  above.isFrame ??= isFrame(upper);
  if (above.isFrame) return false;
  below.isFrame ??= isFrame(lower);
  if (below.isFrame) return false;
  if (upper.some((cell) => lower.includes(cell))) return true;
  const [few, many] = upper.length <= lower.length ? [upper, lower] : [lower, upper];
  const wanted = divisions(many);
  return [...divisions(few)].every((place) => wanted.has(place));
}

/**
 * Returns true for a row that consists of a single cell, unless that cell has exactly one line of
 * text. Also returns true for a row of few cells if one of them contains several columns of text.
 */
function isFrame(row: readonly DraftCell[]): boolean {
  const [only] = row;
  if (row.length === 1 && only !== undefined && wordRows(only.words).length !== 1) return true;
  return row.filter(({ words }) => words.length > 0).length <= maxFrames && row.some(isScattered);
}

/**
 * Maximum number of frames side by side. A row with more cells belongs to a table. Chosen by hand,
 * 2026-11.
 */
const maxFrames = 3;

/**
 * Returns true if a line of the cell has at least three text runs. The cell is then a frame around
 * other content.
 */
const isScattered = ({ words }: DraftCell): boolean =>
  words.length >= 3 && rowsOf(words, []).some((row) => row.runs.length >= 3);

const divisions = (row: readonly DraftCell[]): Set<number> =>
  new Set(row.flatMap((cell) => [cell.column, cell.column + cell.columnSpan]));

/**
 * Splits each row of the grid that contains several rows of the table. Such rows occur if lines are
 * drawn between columns but not between rows.
 */
function splitRows(
  cells: readonly DraftCell[],
  from: number,
  to: number,
  grid: Grid,
): Pick<TableDraft, "rows" | "cells"> {
  const result: DraftCell[] = [];
  let rows = 0;
  const byRow = Map.groupBy(cells, ({ row }) => row);
  const tall = cells.filter((cell) => cell.rowSpan > 1);
  for (let row = from; row < to; row++) {
    const members = byRow.get(row) ?? [];
    const isPlain = !tall.some((cell) => cell.row <= row && cell.row + cell.rowSpan > row);
    const groups = isPlain && members.length >= 3 ? groupsOf(members, grid) : [];
    if (groups.length > 1) result.push(...groups.flatMap((group, index) => splitCells(group, members, rows + index)));
    else result.push(...members.map((cell) => ({ ...cell, row: rows })));
    rows += Math.max(groups.length, 1);
  }
  return { rows, cells: result };
}

function groupsOf(members: readonly DraftCell[], { xs }: Grid): TextRow[][] {
  const walls = members.map((cell) => ({ at: cell.box[0], from: cell.box[1], to: cell.box[3] }));
  const lines = rowsOf(
    members.flatMap((cell) => cell.words),
    walls,
  );
  const numeric = members.flatMap((cell, index) => (isNumberColumn(cell) ? [index] : []));
  if (lines.length < 2 || numeric.length === 0) return [];
  const edges = [...members.map((cell) => cell.box[0]), xs.at(-1) ?? 0];
  return logicalRows(lines, { edges, numeric, rules: [] });
}

/**
 * Minimum share of the lines of a cell that must consist of a single number for the cell to count
 * as a number column. Chosen by hand, 2026-11.
 */
const minNumeric = 0.6;

/** Returns true for a cell with several lines, most of which consist of a single number. */
function isNumberColumn({ words }: DraftCell): boolean {
  if (words.length < 2) return false;
  const lines = rowsOf(words, []).map((row) => row.runs.map(({ text }) => text).join(" "));
  return lines.length >= 2 && lines.filter(isNumber).length >= minNumeric * lines.length;
}

function splitCells(group: readonly TextRow[], members: readonly DraftCell[], row: number): DraftCell[] {
  const words = new Set(group.flatMap((line) => line.runs.flatMap((run) => run.words)));
  const [, top, , bottom] = unionOf(group);
  return members.map((cell) => ({
    ...cell,
    row,
    box: [cell.box[0], top, cell.box[2], bottom] as const,
    words: cell.words.filter((word) => words.has(word)),
  }));
}
