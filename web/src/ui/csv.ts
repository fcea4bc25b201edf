/** Writes CSV files that are safe to open in spreadsheets: no cell is run as a formula. */

/**
 * Matches text that a spreadsheet would interpret as a formula. With Chinese, Japanese or Korean
 * settings, the full-width forms of `=`, `+`, `-` and `@` count as well.
 */
const formulaStart = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/;
/** Matches numbers, which may start with a minus sign. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/** Returns one cell: escaped if it could be run as a formula, and quoted if necessary. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const safe = formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns one line, ending with CRLF as RFC 4180 requires. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** Byte order mark, which makes Excel read the file as UTF-8. */
export const csvStart = "\uFEFF";
