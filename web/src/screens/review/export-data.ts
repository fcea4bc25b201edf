/** Corrected data as a file: JSON, or CSV of the fields or of one list. */
import type { FieldParam, RecordJson, Scalar } from "./review-model.ts";
import { decimalOf } from "./value-text.ts";

export interface DataTable {
  columns: string[];
  rows: Scalar[][];
}

/** Returns the names of the lists, nested ones with the names of the lists around them. */
export const listNames = (params: readonly FieldParam[]): string[][] =>
  params
    .filter(({ format }) => format === "list")
    .flatMap(({ name, items = [] }) => [[name], ...listNames(items).map((names) => [name, ...names])]);

const isScalar = ({ format }: FieldParam) => format !== "list";

/**
 * Returns the values of the records, or of the rows of a list. Rows of a nested list begin with the
 * numbers of the rows around them, from 1.
 */
export function tableOf(
  params: readonly FieldParam[],
  records: readonly RecordJson[],
  [name, ...names]: readonly string[],
): DataTable {
  if (name === undefined) {
    const scalars = params.filter(isScalar);
    return {
      columns: scalars.map((param) => param.name),
      rows: records.map((record) => scalars.map((param) => (record[param.name] ?? null) as Scalar)),
    };
  }
  const items = params.find((param) => param.name === name)?.items ?? [];
  const lists = records.map((record) => (record[name] ?? []) as readonly RecordJson[]);
  if (names.length === 0) return tableOf(items, lists.flat(), []);
  const tables = lists.flatMap((rows) => rows.map((row, index) => ({ index, table: tableOf(items, [row], names) })));
  const columns = tableOf(items, [], names).columns;
  return {
    columns: [name, ...columns],
    rows: tables.flatMap(({ index, table }) => table.rows.map((row) => [index + 1, ...row])),
  };
}

/** Returns CSV as spreadsheets of a language read it: where "," is the decimal sign, ";" separates. */
export function csvOf({ columns, rows }: DataTable, locale: string): string {
  const decimal = decimalOf(locale);
  const separator = decimal === "," ? ";" : ",";
  const cell = (value: Scalar): string => {
    if (value === null) return "";
    if (typeof value === "number") return String(value).replace(".", decimal);
    const text = typeof value === "string" ? withoutFormula(value) : String(value);
    return /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(cell).join(separator)}\r\n`).join("");
}

/** A spreadsheet would run a text from a hostile document that begins like a formula. */
const withoutFormula = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
