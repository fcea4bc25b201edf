/**
 * Corrects the assignment of columns to item fields by the values in the columns. A column must
 * hold values of the kind that its item field asks for, and quantity times price must equal the
 * total.
 */

import { findValues } from "../../values/find-values.ts";
import type { Locale } from "../../values/locale.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { Column, Head } from "./list-heads.ts";
import { settleByProduct } from "./list-products.ts";
import { type Cell, isNumeric, type ListRow, valueIn } from "./list-rows.ts";

/**
 * Minimum share of the rows that must have a value of the item field's kind. Chosen by hand,
 * 2026-11.
 */
const minShare = 0.5;
/** Score of a column that was found by its values. Chosen by hand, 2026-11. */
const foundByValues = 0.6;

/** Moves item fields from columns without suitable values to columns that have them. */
export function settleColumns(head: Head, rows: readonly ListRow[], locale: Locale): void {
  for (const column of head.columns) if (column.item) moveToFilled(head, column, rows, locale);
  settleByProduct(head, rows, locale);
  fillByKind(head, rows, locale);
}

/**
 * If a free column has more than twice as many values of the kind that the item field asks for,
 * moves the item field to that column. If there are several such columns, the one with the best
 * heading wins.
 */
function moveToFilled(head: Head, column: Column, rows: readonly ListRow[], locale: Locale): void {
  const { item } = column;
  if (!item) return;
  const own = filled(column, item, rows, locale);
  const better = head.options.find(
    (option) =>
      option.item === item && !option.column.item && own < minShare * filled(option.column, item, rows, locale),
  );
  if (!better) return;
  column.item = undefined;
  column.score = 0;
  better.column.item = item;
  better.column.score = better.score;
}

function filled(column: Column, item: AskedField, rows: readonly ListRow[], locale: Locale): number {
  return rows.filter((row) => holds(row.cells.get(column), item, locale)).length;
}

const holds = (cell: Cell | undefined, item: AskedField, locale: Locale): boolean =>
  isNumeric(item) ? valueIn(cell, item, locale) !== undefined : /\p{L}{2}/u.test(cell?.text ?? "");

/** Minimum number of letters in a typical text cell. Chosen by hand, 2026-11. */
const minTextLetters = 4;

/**
 * If exactly one text field has no column and exactly one free column has texts, assigns that
 * column to the field. Then assigns a column of dates to a date field by the same rule. For a
 * description, several columns may be free; the one with the longest texts is assigned.
 */
function fillByKind(head: Head, rows: readonly ListRow[], locale: Locale): void {
  const answered = new Set(head.columns.map((column) => column.item));
  for (const kind of ["text", "date"] as const) {
    const missing = head.items.filter((item) => !answered.has(item) && item.kind === kind);
    const [item] = missing;
    if (!item || missing.length > 1 || answered.size < 2) continue;
    const lengths = head.columns
      .filter((column) => !column.item)
      .map((column) => ({ column, length: kind === "text" ? textLength(column, rows) : dates(column, rows, locale) }))
      .filter(({ length }) => length > 0)
      .sort((a, b) => b.length - a.length);
    const [first, second] = lengths;
    if (!first || (second && item.concept?.key !== "line_description")) continue;
    first.column.item = item;
    first.column.score = foundByValues;
  }
}

const filledRows = (rows: readonly ListRow[]): ListRow[] => rows.filter((row) => row.cells.size > 1);

/** Returns the median number of letters per cell; 0 for a column without texts. */
function textLength(column: Column, rows: readonly ListRow[]): number {
  const full = filledRows(rows);
  const letters = full.map((row) => row.cells.get(column)?.text.match(/\p{L}/gu)?.length ?? 0).sort((a, b) => a - b);
  const typical = letters[letters.length >> 1] ?? 0;
  return typical >= minTextLetters ? typical : 0;
}

/** Returns the number of dates in the column, or 0 unless most rows have a date there. */
function dates(column: Column, rows: readonly ListRow[], locale: Locale): number {
  const full = filledRows(rows);
  const count = full.filter((row) => findValues(row.cells.get(column)?.text ?? "", "date", locale).length > 0).length;
  return count > full.length * minShare ? count : 0;
}
