/** Tables as CSV (RFC 4180), for spreadsheets and programs. */
import type { ExportTable, TableCell } from "./tables.ts";

/** With a byte order mark, without which spreadsheets misread letters such as ä. */
export const csvOf = ({ columns, rows }: ExportTable): string =>
  `\uFEFF${[columns, ...rows].map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;

function csvCell(value: TableCell): string {
  if (value === null) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "string") return String(value);
  // A spreadsheet would run a text that begins like this as a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
