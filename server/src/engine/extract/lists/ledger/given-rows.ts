/**
 * Collects the returned rows of a list, with the words, lines and numbers that the ledger compares.
 */
import type { Box } from "../../../../reading/document.ts";
import { type PageRuns, unionOf, wordAt } from "../../../page/text-runs.ts";
import type { Locale } from "../../../values/locale.ts";
import type { AskedField } from "../../labels/asked-fields.ts";
import type { Column } from "../list-heads.ts";
import type { ListItem } from "../list-items.ts";
import { isBlank, isNumeric, valueIn } from "../list-rows.ts";

export interface GivenRow {
  item: ListItem;
  page: PageRuns;
  /** All words of the row, including words in columns that were not requested. */
  words: readonly number[];
  box: Box;
  /** Words of the row's first line. Words of continuation lines are left out. */
  anchor: readonly number[];
  /** Text of each column by position, including columns that were not requested. */
  texts: readonly string[];
  /** Number in each numeric column, by position. */
  numbers: readonly (number | undefined)[];
}

export const isTyped = (asked: AskedField | undefined): boolean =>
  asked !== undefined && (asked.format === "number" || asked.format === "date" || isNumeric(asked));

/** Returns the rows of the list items, in document order. */
export function givenRows(items: readonly ListItem[], locale: Locale): GivenRow[] {
  return items.flatMap((item) => {
    const { page } = item.anchor;
    const rows = [item.anchor, ...item.more.filter((row) => row.page === page)];
    const words = [...new Set(rows.flatMap((row) => [...row.cells.values()].flatMap((cell) => cell.words)))];
    const boxes = words.map((index) => wordAt(page.page, index).box);
    if (boxes.length === 0) return [];
    const { columns } = item.head;
    const anchor = columns.flatMap((column) => item.anchor.cells.get(column)?.words ?? []);
    const texts = columns.map((column) => item.anchor.cells.get(column)?.text ?? "");
    const numbers = columns.map((column) => numberOf(item, column, locale));
    return [{ item, page, words, box: boxes.reduce(unionOf), anchor, texts, numbers }];
  });
}

/** Returns the number in a cell of a numeric column. */
function numberOf({ anchor }: ListItem, column: Column, locale: Locale): number | undefined {
  const cell = anchor.cells.get(column);
  if (!cell || isBlank(cell.text) || !isTyped(column.item)) return undefined;
  const value = valueIn(cell, column.item, locale)?.value;
  return typeof value === "number" ? value : undefined;
}
