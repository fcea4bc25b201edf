/**
 * A table during layout. Its cells contain the words themselves instead of indices, because the
 * words have no order yet.
 */
import type { Box } from "../document.ts";
import { unionOf } from "./geometry.ts";
import { hasDigit, isNumber } from "./number-words.ts";
import type { PlacedWord } from "./placed-word.ts";
import { wordRows } from "./text-rows.ts";

export interface DraftCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
  words: PlacedWord[];
}

export interface TableDraft {
  box: Box;
  rows: number;
  columns: number;
  headerRows: number;
  ruled: boolean;
  cells: DraftCell[];
}

/** Returns the words that are not in any cell of these tables. */
export function wordsOutside(tables: readonly TableDraft[], words: readonly PlacedWord[]): readonly PlacedWord[] {
  if (tables.length === 0) return words;
  const taken = new Set(tables.flatMap((table) => table.cells.flatMap((cell) => cell.words)));
  return words.filter((word) => !taken.has(word));
}

/** Returns the words of a cell in reading order. */
export function inReadingOrder(words: PlacedWord[]): PlacedWord[] {
  return words.length < 2 ? words : wordRows(words).flat();
}

export const textOfCell = (cell: DraftCell): string => cell.words.map((word) => word.text).join(" ");

/**
 * Returns true if there are words in cells of at least two rows and two columns. A cell that spans
 * several rows or columns counts only for its first row and its first column.
 */
export function isTable({ cells }: TableDraft): boolean {
  const filled = cells.filter(({ words }) => words.length > 0);
  const isBeside = ({ column }: DraftCell) => column !== filled[0]?.column;
  return filled.some(({ row }) => row !== filled[0]?.row) && filled.some(isBeside);
}

/**
 * Returns the table without empty cells, and without rows and columns in which no cell begins.
 * Returns undefined if what is left is too small for a table.
 */
export function condensed(draft: TableDraft, minRows = 2): TableDraft | undefined {
  const cells = draft.cells.filter((cell) => cell.words.length > 0);
  const rowPlaces = places(cells.map((cell) => cell.row));
  const columnPlaces = places(cells.map((cell) => cell.column));
  const rows = rowPlaces.size;
  const columns = columnPlaces.size;
  if (rows < minRows || columns < 2) return undefined;
  const moved = cells.map((cell) => ({
    ...cell,
    row: rowPlaces.get(cell.row) ?? 0,
    column: columnPlaces.get(cell.column) ?? 0,
    rowSpan: spanOf(rowPlaces, cell.row, cell.rowSpan),
    columnSpan: spanOf(columnPlaces, cell.column, cell.columnSpan),
  }));
  moved.sort((a, b) => a.row - b.row || a.column - b.column);
  const table = { ...draft, box: unionOf(moved), rows, columns, cells: moved };
  return { ...table, headerRows: countHeaderRows(table) };
}

function places(used: readonly number[]): Map<number, number> {
  return new Map([...new Set(used)].sort((a, b) => a - b).map((value, index) => [value, index]));
}

function spanOf(kept: ReadonlyMap<number, number>, from: number, span: number): number {
  let count = 0;
  for (let at = from; at < from + span; at++) if (kept.has(at)) count++;
  return Math.max(count, 1);
}

/** Maximum number of header rows of a table. Chosen by hand, 2026-11. */
const maxHeaderRows = 3;

/**
 * Returns the number of header rows: the rows above the first row with a number, but at most
 * `maxHeaderRows`. The conditions for tables of two columns are stricter. In a table without any
 * numbers, the first row is the header if it has several cells and is bold, and the second row is
 * not bold. The cells must be sorted.
 */
function countHeaderRows({ rows, columns, cells }: TableDraft): number {
  const rowAt = (row: number) => cells.filter((cell) => cell.row === row);
  const first = cells.find((cell) => isNumber(textOfCell(cell)))?.row ?? rows;
  if (first > 0 && first < rows) return headerAbove(first, rowAt, columns);
  const isBold = (row: number) => rowAt(row).every((cell) => cell.words.every((word) => word.bold));
  return first === rows && columns > 1 && isBold(0) && !isBold(1) && rowAt(0).length > 1 ? 1 : 0;
}

function headerAbove(first: number, rowAt: (row: number) => DraftCell[], columns: number): number {
  let count = 0;
  for (let row = 0; row < Math.min(first, maxHeaderRows); row++) {
    const cells = rowAt(row);
    if (cells.some((cell) => hasDigit(textOfCell(cell)) && columns === 2)) break;
    count = row + 1;
  }
  // A table with two columns may consist of labels and values. Therefore, the lack of digits in the
  // first row is not enough to make it a header.
  return columns === 2 && !isHeaderOfTwo(rowAt(0), rowAt(1)) ? 0 : Math.min(count, first);
}

function isHeaderOfTwo(top: DraftCell[], next: DraftCell[]): boolean {
  const isBold = (cell: DraftCell | undefined) => cell?.words.every((word) => word.bold) === true;
  const value = next.at(-1);
  return (
    top.length === 2 &&
    ((isBold(top[0]) && isBold(top[1]) && !isBold(value)) ||
      (!isBold(next[0]) && isNumber(value ? textOfCell(value) : "")))
  );
}
