/**
 * Defines list items. Drops rows that turn out not to be items when compared with other rows: sums
 * of earlier rows, and balances without a date.
 */

import type { Locale } from "../../values/locale.ts";
import type { Column, Head } from "./list-heads.ts";
import { type ListRow, valueIn } from "./list-rows.ts";

/**
 * A list item. Its main row (`anchor`) has the values. Its texts may continue in further rows
 * (`more`).
 */
export interface ListItem {
  head: Head;
  anchor: ListRow;
  more: ListRow[];
  /** True for a discount or charge. It is not returned as an item but counts in the sums. */
  extra?: boolean;
}

/**
 * Returns true if the list has exactly two numeric columns, such as "paid in" and "paid out", and
 * each row fills only one of them. A single row, such as a row of sums, may fill both columns.
 */
export function areExclusive(numeric: readonly Column[], rows: readonly ListRow[], locale: Locale): boolean {
  const [first, second, third] = numeric;
  if (!first || !second || third || numeric.some((column) => column.item?.concept?.key === "line_total")) return false;
  const has = (row: ListRow, column: Column): boolean =>
    valueIn(row.cells.get(column), column.item, locale) !== undefined;
  const both = rows.filter((row) => has(row, first) && has(row, second)).length;
  const one = rows.filter((row) => has(row, first) !== has(row, second)).length;
  return both <= 1 && one > both;
}

/**
 * Items without a date are dropped if more than this share of the items have one. Chosen by hand,
 * 2026-11.
 */
const minDated = 0.7;

/**
 * Drops items without a date if most items have one, because items without a date are then sums or
 * balances.
 */
export function withDates(items: readonly ListItem[], locale: Locale): ListItem[] {
  const dated = items.filter(({ head, anchor }) =>
    head.columns.some(
      (column) => column.item?.kind === "date" && valueIn(anchor.cells.get(column), column.item, locale),
    ),
  );
  return dated.length > items.length * minDated ? dated : [...items];
}
/**
 * A row counts as a sum only after this many items with a quantity or price. Chosen by hand,
 * 2026-11.
 */
const minSummands = 2;
/**
 * Maximum difference between sums that count as equal, in currency units: one cent, plus a margin
 * for floating-point errors.
 */
const centTolerance = 0.011;

/**
 * Drops rows without quantity and price whose amount is the sum of all previous rows, or of the
 * rows since the previous sum.
 */
export function withoutSums(items: readonly ListItem[], locale: Locale): ListItem[] {
  let [all, group, counted] = [0, 0, 0];
  return items.filter((item) => {
    const amount = numberFor("line_total", item, locale);
    if (amount === undefined) return true;
    const bare = ["quantity", "unit_price"].every((key) => numberFor(key, item, locale) === undefined);
    const isSum = [all, group].some((sum) => Math.abs(sum - amount) < centTolerance);
    if (bare && isSum && counted >= minSummands) {
      group = 0;
      return false;
    }
    all += amount;
    group += amount;
    if (!bare) counted++;
    return true;
  });
}

/** Returns the number in the item's main row for a concept such as `unit_price`. */
function numberFor(key: string, { head, anchor }: ListItem, locale: Locale): number | undefined {
  const column = head.columns.find((other) => other.item?.concept?.key === key);
  const value = column && valueIn(anchor.cells.get(column), column.item, locale)?.value;
  return typeof value === "number" ? value : undefined;
}
