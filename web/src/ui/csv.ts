/** Writes CSV files that are safe to open: no cell is run as a formula. */

/**
 * First characters that make a spreadsheet take a cell for a formula. Spreadsheets set to Chinese,
 * Japanese or Korean treat full-width characters in the same way.
 */
const formulaStart = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/;
/** A number, which may begin with a minus sign. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/** Returns one cell: defused if it could be read as a formula, quoted if it needs to be. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const safe = formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns one line with CRLF, as RFC 4180 requires. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** Makes Excel read the file as UTF-8. */
export const csvStart = "\uFEFF";
