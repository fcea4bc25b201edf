/** Columns by what stands in them: a head that fits by its words must hold values of the kind, and quantity times price is the sum. */
import type { Column, Head } from "./list-heads.ts";
import { type Cell, isNumeric, type ListRow, valueIn } from "./list-rows.ts";
import type { Locale } from "./locale.ts";
import type { Query } from "./params.ts";

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

/** Of quantity, unit price and line total the one without a head is the column whose numbers make the product right. */
function completeByProduct(head: Head, rows: readonly ListRow[], locale: Locale): void {
  const keys = ["quantity", "unit_price", "line_total"];
  const [quantity, price, total] = keys.map((key) => head.columns.find((column) => column.item?.concept?.key === key));
  const missing = [quantity, price, total].filter((column) => column === undefined).length;
  const at = [quantity, price, total].indexOf(undefined);
  const item = head.items.find((asked) => asked.concept?.key === keys[at]);
  if (missing !== 1 || !item) return;
  const numbers = (column: Column | undefined, row: ListRow): number =>
    Number(column && valueIn(row.cells.get(column), { ...item, kind: "number" }, locale)?.value);
  for (const column of head.columns) {
    if (column.item) continue;
    const [q, p, t] = [quantity ?? column, price ?? column, total ?? column];
    const known = rows
      .map((row) => [numbers(q, row), numbers(p, row), numbers(t, row)] as const)
      .filter((triple) => triple.every(Number.isFinite));
    const right = known.filter(
      ([a, b, c]) => c !== 0 && Math.abs(a * b - c) <= Math.max(0.011, Math.abs(c) * 0.002),
    ).length;
    if (right === 0 || right < known.length * minShare) continue;
    column.item = item;
    column.score = foundByValues;
    return;
  }
}
