/** Writes CSV files that spreadsheets open without running anything. */

/**
 * First characters that make a spreadsheet read a cell as a formula. The full-width forms are read
 * as their ASCII counterparts by spreadsheets set to Chinese, Japanese or Korean.
 */
const formulaStart = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/;
/** Numbers may begin with a minus sign. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/** Returns one cell: defused if it could be read as a formula, quoted if it needs to be. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const safe = formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns one line, with its line end as RFC 4180 requires it. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** Makes Excel read the file as UTF-8. */
export const csvStart = "\uFEFF";
