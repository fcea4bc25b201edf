/**
 * Assigns the columns to quantity, unit price and line total by arithmetic. Chooses the assignment
 * for which quantity times price equals the total in most rows.
 */

import { findValues } from "../../values/find-values.ts";
import type { Locale } from "../../values/locale.ts";
import type { Column, Head } from "./list-heads.ts";
import type { ListRow } from "./list-rows.ts";

const factors = ["quantity", "unit_price", "line_total"] as const;
/**
 * Minimum share of the rows in which quantity times price must equal the total. Chosen by hand,
 * 2026-11.
 */
const minShare = 0.5;
/** Score of a column that was found by its values. Chosen by hand, 2026-11. */
const foundByValues = 0.6;
/**
 * Maximum number of columns that are tried. It limits the time, because every triple of columns is
 * tried. Chosen by hand, 2026-11.
 */
const maxTriedColumns = 9;
/** Maximum number of rows that are checked for each assignment. Chosen by hand, 2026-11. */
const maxTriedRows = 60;
/**
 * Maximum number of letters in a cell with a number. A unit or currency does not have more letters.
 * Chosen by hand, 2026-11.
 */
const maxLetters = 8;
/**
 * Minimum number of rows in which quantity times price must equal the total, if none of these three
 * item fields has a column yet. Chosen by hand, 2026-11.
 */
const minRowsWithoutHeads = 2;
/** Bonus if the total is to the right of quantity and price. Chosen by hand, 2026-11. */
const totalIsLast = 0.3;
/** Bonus if the quantity is to the left of the price. Chosen by hand, 2026-11. */
const quantityIsFirst = 0.1;

type Triple = readonly [Column, Column, Column];

/**
 * If quantity, unit price and line total are all requested, assigns them to the columns for which
 * quantity times price is the total in the most rows.
 */
export function settleByProduct(head: Head, rows: readonly ListRow[], locale: Locale): void {
  const items = factors.map((key) => head.items.find((asked) => asked.concept?.key === key));
  if (items.some((item) => item === undefined)) return;
  const tried = rows.slice(0, maxTriedRows);
  const open = head.columns.filter((column) => !column.item || items.includes(column.item));
  const numbers = numbersOf(open, tried, locale);
  const current = items.map((item) => head.columns.find((column) => column.item === item));
  const minRight = current.some((column) => column) ? 1 : minRowsWithoutHeads;
  let best: Triple | undefined;
  let most = 0;
  for (const triple of triplesOf([...numbers.keys()].slice(0, maxTriedColumns))) {
    const right = countRight(triple, numbers, tried, locale);
    if (right < minRight) continue;
    // Several assignments may have equally many correct products, because quantity and price can be
    // swapped. Headings decide between them.
    const score = right + (headScore(head, triple) + valueScore(triple, tried)) / 100;
    if (score > most) [best, most] = [triple, score];
  }
  if (!best || best.every((column, at) => column === current[at])) return;
  for (const column of current) if (column) [column.item, column.score] = [undefined, 0];
  best.forEach((column, at) => {
    column.item = items[at];
    column.score = Math.max(foundByValues, optionScore(head, column, at));
  });
}

/**
 * Returns, for every column with numbers, the number in each row. A cell with more than
 * `maxLetters` letters counts as having no number.
 */
function numbersOf(columns: readonly Column[], rows: readonly ListRow[], locale: Locale): Map<Column, number[]> {
  const found = new Map<Column, number[]>();
  for (const column of columns) {
    const numbers = rows.map((row) => {
      const text = row.cells.get(column)?.text ?? "";
      const isText = (text.match(/\p{L}/gu)?.length ?? 0) > maxLetters;
      return Number(isText ? undefined : findValues(text, "number", locale)[0]?.value);
    });
    if (numbers.some(Number.isFinite)) found.set(column, numbers);
  }
  return found;
}

function triplesOf(columns: readonly Column[]): Triple[] {
  return columns.flatMap((quantity) =>
    columns.flatMap((price) =>
      columns.flatMap((total): Triple[] =>
        quantity === price || price === total || quantity === total ? [] : [[quantity, price, total]],
      ),
    ),
  );
}

/**
 * Returns the number of rows with a correct product. Returns 0 if less than half of the rows have a
 * correct product, or if all correct products have a factor of 1.
 */
function countRight(
  triple: Triple,
  numbers: ReadonlyMap<Column, readonly number[]>,
  rows: readonly ListRow[],
  locale: Locale,
): number {
  let right = 0;
  let whole = 0;
  let telling = false;
  rows.forEach((row, at) => {
    const [a, b, c] = triple.map((column) => numbers.get(column)?.[at] ?? Number.NaN) as [number, number, number];
    if (!Number.isFinite(a) || !Number.isFinite(b) || !Number.isFinite(c)) return;
    whole++;
    if (c === 0 || !isProduct(a, b, c, row, locale)) return;
    right++;
    // A factor of 1 proves nothing, because price and total are equal then.
    if (a !== 1 && b !== 1) telling = true;
  });
  return telling && right >= whole * minShare ? right : 0;
}

/**
 * Maximum difference between amounts that count as equal: `centTolerance` (one cent, plus a margin
 * for floating-point errors), or `shareTolerance` times the amount if that is more.
 */
const centTolerance = 0.011;
const shareTolerance = 0.002;
/** A discount leaves at least this share of the product. Chosen by hand, 2026-11. */
const minAfterDiscount = 0.1;

const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(centTolerance, Math.abs(b) * shareTolerance);

/**
 * Returns true if `a` times `b` equals `c`, either directly or after subtracting a percentage
 * discount that the row contains.
 */
function isProduct(a: number, b: number, c: number, row: ListRow, locale: Locale): boolean {
  const product = a * b;
  if (near(product, c)) return true;
  if (Math.abs(c) >= Math.abs(product) || Math.abs(c) < Math.abs(product) * minAfterDiscount) return false;
  return [...row.cells.values()].some((cell) =>
    findValues(cell.text, "percent", locale).some(
      ({ value }) => typeof value === "number" && near(product * (1 - Math.abs(value) / 100), c),
    ),
  );
}

const optionScore = (head: Head, column: Column, factor: number): number =>
  head.options.find((option) => option.column === column && option.item.concept?.key === factors[factor])?.score ?? 0;

const headScore = (head: Head, triple: Triple): number =>
  triple.reduce((sum, column, at) => sum + optionScore(head, column, at), 0);

/**
 * Scores an assignment by the appearance and position of the values. Prices look more like money
 * than quantities do, and totals stand to the right of quantity and price.
 */
function valueScore([quantity, price, total]: Triple, rows: readonly ListRow[]): number {
  const last = total.box[0] >= price.box[0] && total.box[0] >= quantity.box[0] ? totalIsLast : 0;
  const first = quantity.box[0] < price.box[0] ? quantityIsFirst : 0;
  return moneyShare(price, rows) - moneyShare(quantity, rows) + last + first;
}

const moneyLike = /\p{Sc}|\d[.,]\d{2}(?!\d)/u;

function moneyShare(column: Column, rows: readonly ListRow[]): number {
  const cells = rows.flatMap((row) => row.cells.get(column) ?? []);
  return cells.length === 0 ? 0 : cells.filter((cell) => moneyLike.test(cell.text)).length / cells.length;
}
