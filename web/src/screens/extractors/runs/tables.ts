/**
 * Converts results of many files to tables: one table with the values that are not in lists, and
 * one table with the rows of each list.
 */
import type { ExtractedRecord, ExtractionParam } from "@sheaf/client";
import type { ExportTable, TableCell } from "../../../ui/workbook.ts";

export interface ExportedResult {
  filename: string;
  createdAt: string;
  fields: readonly ExtractionParam[];
  data: readonly ExtractedRecord[];
}

export interface TableTitles {
  /** Name of the table with the values that are not in lists. */
  documents: string;
  /**
   * Title of the column with the number of the document. Every table has this column, so that rows
   * of different tables can be joined.
   */
  number: string;
  file: string;
  date: string;
  row: string;
}

/**
 * Returns the union of the fields of all results. Results can have different fields, because the
 * extractor may have been changed between runs.
 */
export function mergedFields(all: readonly (readonly ExtractionParam[])[]): ExtractionParam[] {
  const merged = new Map<string, ExtractionParam>();
  for (const fields of all)
    for (const field of fields) {
      // If a field is a list in some results but not in others, it gets both a table and a column.
      const key = `${field.format === "list"} ${field.name}`;
      const items = mergedFields([merged.get(key)?.items ?? [], field.items ?? []]);
      merged.set(key, { ...field, items });
    }
  return [...merged.values()];
}

export function tablesOf(results: readonly ExportedResult[], titles: TableTitles): ExportTable[] {
  const fields = mergedFields(results.map((result) => result.fields));
  const single = fields.filter(({ format }) => format !== "list");
  const documents: ExportTable = {
    name: titles.documents,
    columns: [titles.number, titles.file, titles.date, ...single.map(({ name }) => name)],
    rows: [],
  };
  const lists = fields
    .filter(({ format }) => format === "list")
    .map((field) => listTable(field, field.name, titles, []));
  let number = 0;
  for (const { filename, createdAt, data } of results)
    for (const record of data.length > 0 ? data : [{}]) {
      number++;
      const values = single.map((field) => cellOf(record, field));
      documents.rows.push([number, filename, new Date(createdAt), ...values]);
      for (const list of lists) list.add(record, [number, filename]);
    }
  return [documents, ...lists.flatMap((list) => list.tables)];
}

interface ListTable {
  /** The table of a list, and the tables of lists inside it. */
  tables: ExportTable[];
  add: (record: ExtractedRecord, keys: TableCell[]) => void;
}

function listTable(field: ExtractionParam, name: string, titles: TableTitles, parents: readonly string[]): ListTable {
  const items = field.items ?? [];
  const single = items.filter(({ format }) => format !== "list");
  const keys = [...parents, parents.length === 0 ? titles.row : `${titles.row} (${name})`];
  const columns = [titles.number, titles.file, ...keys, ...single.map((item) => item.name)];
  const table: ExportTable = { name, columns, rows: [] };
  const inner = items
    .filter(({ format }) => format === "list")
    .map((item) => listTable(item, `${name}.${item.name}`, titles, keys));
  return {
    tables: [table, ...inner.flatMap(({ tables }) => tables)],
    add: (record, outer) => {
      const rows = record[field.name];
      for (const [index, row] of (Array.isArray(rows) ? rows : []).entries()) {
        const at = [...outer, index + 1];
        table.rows.push([...at, ...single.map((item) => cellOf(row, item))]);
        for (const list of inner) list.add(row, at);
      }
    },
  };
}

/**
 * Returns the value for a cell. If the format is `date`, text that is a date becomes a spreadsheet
 * date.
 */
function cellOf(record: ExtractedRecord, { name, format }: ExtractionParam): TableCell {
  const value = record[name] ?? null;
  if (typeof value === "object") return null;
  if (format === "date" && typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)) {
    const date = new Date(`${value}T00:00:00Z`);
    return Number.isNaN(date.getTime()) ? value : date;
  }
  return value;
}
