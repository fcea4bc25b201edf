/** Reads references to cells: "B7" and "A1:C3". Rows and columns are counted from 0. */

export interface CellRange {
  row: number;
  column: number;
  lastRow: number;
  lastColumn: number;
}

/** Maximum size of a sheet in Excel. */
export const maxRows = 1_048_576;
export const maxColumns = 16_384;

/**
 * Returns row and column as one number: row × `maxColumns` + column. Returns -1 if the text does
 * not refer to a cell of a sheet.
 */
export function cellPlace(reference: string): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) & ~0x20;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
    if (column > maxColumns) return -1;
  }
  let row = 0;
  for (let digit = at; digit < reference.length; digit++) {
    const value = reference.charCodeAt(digit) - 48;
    if (value < 0 || value > 9) return -1;
    row = row * 10 + value;
    if (row > maxRows) return -1;
  }
  return column === 0 || row === 0 ? -1 : (row - 1) * maxColumns + column - 1;
}

export const placeOf = (row: number, column: number): number => row * maxColumns + column;
export const rowOf = (place: number): number => Math.floor(place / maxColumns);
export const columnOf = (place: number): number => place % maxColumns;

/**
 * Returns the range to which a reference refers, or undefined if the text is not a range of a
 * sheet.
 */
export function rangeOf(reference: string): CellRange | undefined {
  const [first = "", last = first] = reference.replaceAll("$", "").split(":");
  const [start, end] = [cellPlace(first), cellPlace(last)];
  if (start < 0 || end < 0) return undefined;
  const [row, column, lastRow, lastColumn] = [rowOf(start), columnOf(start), rowOf(end), columnOf(end)];
  return lastRow < row || lastColumn < column ? undefined : { row, column, lastRow, lastColumn };
}
