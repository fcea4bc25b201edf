/** Elements of lists, and which rows are none for what the others say: sums of those before, balances without a date. */

import type { Locale } from "../../values/locale.ts";
import type { Column, Head } from "./list-heads.ts";
import { type ListRow, valueIn } from "./list-rows.ts";

/** One element: the row that makes it, and the rows that its texts go on to. */
export interface ListItem {
  head: Head;
  anchor: ListRow;
  more: ListRow[];
  /** True for a discount or a charge: no element, but part of the sums. */
  extra?: boolean;
}

/** True for columns of which each row fills just one, but for a row of sums: paid in or paid out. */
export function areExclusive(numeric: readonly Column[], rows: readonly ListRow[], locale: Locale): boolean {
  const [first, second, third] = numeric;
  if (!first || !second || third || numeric.some((column) => column.item?.concept?.key === "line_total")) return false;
  const has = (row: ListRow, column: Column): boolean =>
    valueIn(row.cells.get(column), column.item, locale) !== undefined;
  const both = rows.filter((row) => has(row, first) && has(row, second)).length;
  const one = rows.filter((row) => has(row, first) !== has(row, second)).length;
  return both <= 1 && one > both;
}

const minDated = 0.7;

/** Of elements that have a date those that have none are sums and balances. */
export function withDates(items: readonly ListItem[], locale: Locale): ListItem[] {
  const dated = items.filter(({ head, anchor }) =>
    head.columns.some(
      (column) => column.item?.kind === "date" && valueIn(anchor.cells.get(column), column.item, locale),
    ),
  );
  return dated.length > items.length * minDated ? dated : [...items];
}
const minSummands = 2;
const centTolerance = 0.011;

/** Leaves out rows without quantity and price whose amount is the sum of those before, of all or since the last such sum. */
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

/** The number that the item's own row has for the concept. */
function numberFor(key: string, { head, anchor }: ListItem, locale: Locale): number | undefined {
  const column = head.columns.find((other) => other.item?.concept?.key === key);
  const value = column && valueIn(anchor.cells.get(column), column.item, locale)?.value;
  return typeof value === "number" ? value : undefined;
}
