/**
 * Finds a table by the kinds of the values in its columns. Used if its headings share no words with
 * the item fields.
 */
import type { Table } from "../../../reading/document.ts";
import { centreY, type PageRuns, textOfWords } from "../../page/text-runs.ts";
import { findValues } from "../../values/find-values.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { Column, Head } from "./list-heads.ts";

/** Score of a column that was found by its values. Chosen by hand, 2026-11. */
const score = 0.5;
/** Minimum number of rows below the heading. Chosen by hand, 2026-11. */
const minBodyRows = 2;
/**
 * Minimum number of item fields. With only one item field, too many tables would match. Chosen by
 * hand, 2026-11.
 */
const minItems = 2;
/**
 * Minimum share of the rows that have a value of the item field's kind in the column. Chosen by
 * hand, 2026-11.
 */
const minShare = 0.7;
/** Minimum number of letters in a cell that counts as text. Chosen by hand, 2026-11. */
const minLetters = 4;
const cents = /\d[.,]\d{2}(?!\d)/;

/**
 * Returns the heading of a table in which, for each item field, exactly one column has values of
 * the field's kind. Undefined if several tables qualify.
 */
export function headByKinds(query: AskedField, view: DocumentView): Head | undefined {
  if (query.items.length < minItems) return undefined;
  const heads = view.layout.pages.flatMap((page) =>
    page.page.tables.flatMap((table) => headOf(page, table, query, view) ?? []),
  );
  return heads.length === 1 ? heads[0] : undefined;
}

function headOf(page: PageRuns, table: Table, query: AskedField, view: DocumentView): Head | undefined {
  if (table.headerRows !== 1 || table.rows - table.headerRows < minBodyRows) return undefined;
  const columns: Column[] = Array.from({ length: table.columns }, (_, at) => {
    const cell = table.cells.find((other) => other.row === 0 && other.column === at);
    return { box: cell?.box ?? table.box, text: cell ? textOfWords(page, cell.words) : "", item: undefined, score: 0 };
  });
  const isHead = columns.every((column) => column.text && !/\d/.test(column.text));
  if (!isHead) return undefined;
  for (const item of query.items) {
    const fitting = columns.filter((_, at) => fits(bodyTexts(page, table, at), item, table.rows - 1, view));
    const [only, second] = fitting;
    if (!only || second || only.item) return undefined;
    only.item = item;
    only.score = score;
  }
  const bottom = Math.max(...table.cells.filter((cell) => cell.row === 0).map((cell) => cell.box[3]));
  const row = page.rows.findLastIndex((runs) =>
    runs.some(({ box }) => centreY(box) > table.box[1] && centreY(box) < bottom),
  );
  const sum = score * query.items.length;
  return row < 0 ? undefined : { page, row, items: query.items, columns, options: [], score: sum, table };
}

const bodyTexts = (page: PageRuns, table: Table, column: number): string[] =>
  table.cells
    .filter((cell) => cell.row > 0 && cell.column === column && cell.words.length > 0)
    .map((cell) => textOfWords(page, cell.words));

/**
 * Returns true if most rows have a value of the item field's kind in the column. A number counts
 * only with cents, because years and codes are numbers too.
 */
function fits(texts: readonly string[], item: AskedField, rows: number, view: DocumentView): boolean {
  const holds = (text: string): boolean => {
    if (item.format === "date") return findValues(text, "date", view.locale).length > 0;
    if (item.format === "number") return cents.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) < minLetters;
    return (text.match(/\p{L}/gu)?.length ?? 0) >= minLetters && findValues(text, "date", view.locale).length === 0;
  };
  return texts.filter(holds).length >= rows * minShare;
}
