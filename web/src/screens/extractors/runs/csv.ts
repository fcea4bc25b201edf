/** Writes tables of results as CSV. */
import { csvLine, csvStart } from "../../../ui/csv.ts";
import type { ExportTable, TableCell } from "../../../ui/workbook.ts";

export const csvOf = ({ columns, rows }: ExportTable): string =>
  [csvStart, ...[columns, ...rows].map((row) => csvLine(row.map(plain)))].join("");

const plain = (value: TableCell): string | number | null =>
  value instanceof Date ? value.toISOString() : typeof value === "boolean" ? String(value) : value;
