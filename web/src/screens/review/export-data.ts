/**
 * Exports corrected data: as JSON, as CSV of one list or of the fields that are not lists, or as an
 * Excel workbook.
 */
import { csvLine, csvStart } from "../../ui/csv.ts";
import type { ExportTable, TableCell } from "../../ui/workbook.ts";
import type { FieldParam, RecordJson, Scalar } from "./review-model.ts";

export interface DataTable {
  columns: string[];
  rows: Scalar[][];
}

/**
 * Returns the names of all lists. The name of a nested list starts with the names of the lists that
 * contain it.
 */
export const listNames = (params: readonly FieldParam[]): string[][] =>
  params
    .filter(({ format }) => format === "list")
    .flatMap(({ name, items = [] }) => [[name], ...listNames(items).map((names) => [name, ...names])]);

const isScalar = ({ format }: FieldParam) => format !== "list";

/**
 * Returns the table of one list, or of the fields that are not lists. Rows of a nested list start
 * with the numbers of the rows that contain them, counted from 1.
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

/**
 * Returns one sheet with the fields that are not lists, and one sheet for each list. Dates are
 * exported as Excel dates, not as text.
 */
export function sheetsOf(
  params: readonly FieldParam[],
  records: readonly RecordJson[],
  fieldsName: string,
): ExportTable[] {
  const sheetOf = (name: string, names: readonly string[]): ExportTable => {
    const { columns, rows } = tableOf(params, records, names);
    const dates = dateColumns(params, names);
    const offset = columns.length - dates.length;
    const cellOf = (value: Scalar, index: number): TableCell => (dates[index - offset] ? dateOf(value) : value);
    return { name, columns, rows: rows.map((row) => row.map(cellOf)) };
  };
  const hasFields = params.some(isScalar);
  return [
    ...(hasFields ? [sheetOf(fieldsName, [])] : []),
    ...listNames(params).map((names) => sheetOf(names.join("."), names)),
  ];
}

/** Returns for each column whether it contains dates. Columns with row numbers are not included. */
function dateColumns(params: readonly FieldParam[], [name, ...names]: readonly string[]): boolean[] {
  if (name === undefined) return params.filter(isScalar).map(({ format }) => format === "date");
  return dateColumns(params.find((param) => param.name === name)?.items ?? [], names);
}

/** Converts a value to a date. Text that is not a date stays text. */
function dateOf(value: Scalar): TableCell {
  const date = new Date(`${value}T00:00:00Z`);
  return typeof value !== "string" || Number.isNaN(date.getTime()) ? value : date;
}

export const csvOf = ({ columns, rows }: DataTable): string =>
  csvStart +
  [columns, ...rows]
    .map((row) => csvLine(row.map((value) => (typeof value === "boolean" ? String(value) : value))))
    .join("");
