/** Corrected data as a file: JSON, or CSV of the fields or of one list. */
import { csvLine, csvStart } from "../../ui/csv.ts";
import type { FieldParam, RecordJson, Scalar } from "./review-model.ts";

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

export const csvOf = ({ columns, rows }: DataTable): string =>
  csvStart +
  [columns, ...rows]
    .map((row) => csvLine(row.map((value) => (typeof value === "boolean" ? String(value) : value))))
    .join("");
