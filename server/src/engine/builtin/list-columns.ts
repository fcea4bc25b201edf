/** Columns by what stands in them: a head that fits by its words must hold values of the kind, and quantity times price is the sum. */
import type { Column, Head } from "./list-heads.ts";
import { type Cell, isNumeric, type ListRow, valueIn } from "./list-rows.ts";
import type { Locale } from "./locale.ts";
import type { Query } from "./params.ts";
import { findValues } from "./values.ts";

const minShare = 0.5;
const foundByValues = 0.6;

/** Moves items to the columns that the rows speak for. */
export function settleColumns(head: Head, rows: readonly ListRow[], locale: Locale): void {
  for (const column of head.columns) if (column.item) moveToFilled(head, column, rows, locale);
  completeByProduct(head, rows, locale);
}

/** If a column holds hardly any value of its item's kind, the next best head that does takes the item. */
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

function filled(column: Column, item: Query, rows: readonly ListRow[], locale: Locale): number {
  return rows.filter((row) => holds(row.cells.get(column), item, locale)).length;
}

const holds = (cell: Cell | undefined, item: Query, locale: Locale): boolean =>
  isNumeric(item) ? valueIn(cell, item, locale) !== undefined : /\p{L}{2}/u.test(cell?.text ?? "");

const factors = ["quantity", "unit_price", "line_total"] as const;
const maxTriedColumns = 12;

/** Of quantity, unit price and line total those without a head are the columns whose numbers make the product right. */
function completeByProduct(head: Head, rows: readonly ListRow[], locale: Locale): void {
  const known = factors.map((key) => head.columns.find((column) => column.item?.concept?.key === key));
  const missing = factors.filter((_, at) => known[at] === undefined);
  const items = missing.map((key) => head.items.find((asked) => asked.concept?.key === key));
  if (missing.length === 0 || missing.length === factors.length || items.some((item) => item === undefined)) return;
  const open = head.columns.filter((column) => !column.item).slice(0, maxTriedColumns);
  for (const columns of arrangements(open, missing.length)) {
    let next = 0;
    const [quantity, price, total] = known.map((column) => column ?? columns[next++]);
    if (!quantity || !price || !total || !isProduct(quantity, price, total, rows, locale)) continue;
    columns.forEach((column, at) => {
      column.item = items[at];
      column.score = foundByValues;
    });
    return;
  }
}

/** Every way to take `count` (1 or 2) of the columns in order: prices stand before their sums. */
function arrangements(columns: readonly Column[], count: number): Column[][] {
  if (count === 1) return columns.map((column) => [column]);
  return columns.flatMap((first, at) => columns.slice(at + 1).map((second) => [first, second]));
}

/** True if the first two columns' numbers make the third's on most rows that have all of them. */
function isProduct(quantity: Column, price: Column, total: Column, rows: readonly ListRow[], locale: Locale): boolean {
  const numberIn = (column: Column, row: ListRow): number => firstNumber(row.cells.get(column), locale);
  const triples = rows
    .map((row) => [numberIn(quantity, row), numberIn(price, row), numberIn(total, row)] as const)
    .filter((triple) => triple.every(Number.isFinite));
  const right = triples.filter(
    ([a, b, c]) => c !== 0 && Math.abs(a * b - c) <= Math.max(0.011, Math.abs(c) * 0.002),
  ).length;
  // One line bought once is no proof: its price is its sum.
  const telling = triples.some(([a]) => a !== 1);
  return right > 0 && right >= triples.length * minShare && telling;
}

const firstNumber = (cell: Cell | undefined, locale: Locale): number =>
  Number(cell && findValues(cell.text, "number", locale)[0]?.value);
