/** Finds the header rows of a table if the file does not state them. */

export interface HeaderCell {
  column: number;
  text: string;
  bold: boolean;
}

const numeric = /^[-+(]?[\p{Sc}\s]*\d[\d\s.,:/'%)-]*(?:\p{Sc}[\p{Sc}\s%)]*)?$/u;

/**
 * Maximum number of rows that are compared. A header row is recognized by how it differs from the
 * rows below it. Chosen by hand, 2026-11.
 */
export const comparedRows = 20;

/** Returns the number of header rows, 0 or 1, from the first rows of a table. */
export function headerRowsOf(rows: readonly (readonly HeaderCell[])[]): 0 | 1 {
  const [first = [], ...others] = rows.slice(0, comparedRows);
  const names = first.filter(({ text }) => text !== "");
  const below = others.flat().filter(({ text }) => text !== "");
  if (names.length < 2 || below.length === 0 || names.some(({ text }) => numeric.test(text))) return 0;
  const isBold = names.every(({ bold }) => bold) && !below.every(({ bold }) => bold);
  const columns = Map.groupBy(below, ({ column }) => column);
  const isNumberColumn = (column: number) => columns.get(column)?.every(({ text }) => numeric.test(text)) ?? false;
  return isBold || names.some(({ column }) => isNumberColumn(column)) ? 1 : 0;
}
