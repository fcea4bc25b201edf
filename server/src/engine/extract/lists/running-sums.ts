/** Adds up the numeric columns of a list, to distinguish rows of sums from items. */
import type { Locale } from "../../values/locale.ts";
import type { Column } from "./list-heads.ts";
import { type ListRow, valueIn } from "./list-rows.ts";

/** Minimum number of items before a row can be their sum. Chosen by hand, 2026-11. */
const minSummands = 2;
/**
 * Maximum difference between sums that count as equal: one cent, plus a margin for floating-point
 * errors.
 */
const tolerance = 0.011;

export class RunningSums {
  readonly #columns: readonly Column[];
  readonly #locale: Locale;
  readonly #all = new Map<Column, { sum: number; count: number }>();
  readonly #group = new Map<Column, { sum: number; count: number }>();

  constructor(columns: readonly Column[], locale: Locale) {
    this.#columns = columns.filter((column) => column.item?.format === "number");
    this.#locale = locale;
  }

  /** Adds the numbers of an item to the sums. */
  add(row: ListRow): void {
    for (const [column, value] of this.#numbersOf(row))
      for (const sums of [this.#all, this.#group]) {
        const before = sums.get(column) ?? { sum: 0, count: 0 };
        sums.set(column, { sum: before.sum + value, count: before.count + 1 });
      }
  }

  /**
   * Returns true if a number in the row is the sum of its column, either over all items or over the
   * items since the previous row of sums.
   */
  areReachedBy(row: ListRow): boolean {
    const isReached = this.#numbersOf(row).some(([column, value]) =>
      [this.#all, this.#group].some((sums) => {
        const own = sums.get(column);
        return own !== undefined && own.count >= minSummands && Math.abs(own.sum - value) < tolerance;
      }),
    );
    if (isReached) this.#group.clear();
    return isReached;
  }

  #numbersOf(row: ListRow): [Column, number][] {
    return this.#columns.flatMap((column): [Column, number][] => {
      const value = valueIn(row.cells.get(column), column.item, this.#locale)?.value;
      return typeof value === "number" ? [[column, value]] : [];
    });
  }
}
