/**
 * Finds rows of a list without headings by arithmetic. Their amounts must add up to the sum below
 * them, or must be products of numbers in the row.
 */

import { type PageRuns, type TextRun, wordsBetween } from "../../page/text-runs.ts";
import { findValues } from "../../values/find-values.ts";
import type { Locale } from "../../values/locale.ts";
import { sureAmount } from "../../values/value-weights.ts";
import { hasWords } from "../labels/label-scores.ts";
import { sumScore } from "./list-ends.ts";

/** Row of a list without headings, with the indices of the words that form each part. */
export interface SummedRow {
  /** First text run of the row. */
  run: TextRun;
  text: readonly number[];
  amount: readonly number[];
  quantity?: readonly number[];
  price?: readonly number[];
  value: number;
  box: TextRun["box"];
}

/**
 * Minimum number of rows. With fewer, a matching sum may be a coincidence. Chosen by hand, 2026-11.
 */
const minRows = 2;
/** Maximum distance between two rows of the list, in text rows. Chosen by hand, 2026-11. */
const maxRowsBetween = 4;
/** Minimum score of a label for a sum. Chosen by hand, 2026-11. */
const minSumLabel = 0.8;
/**
 * Maximum difference between sums that count as equal, in currency units: one cent, plus a margin
 * for floating-point errors.
 */
const centTolerance = 0.011;

/**
 * Returns the first group of consecutive rows, each with a text and an amount, whose amounts add up
 * to the amount of the row below the group. If every amount is a product of two numbers in its row,
 * the row below only needs the label of a sum.
 */
export function summedRows(page: PageRuns, locale: Locale): SummedRow[] | undefined {
  let summed: SummedRow[] = [];
  for (const [at, row] of page.rows.entries()) {
    const amount = amountOf(row, locale);
    if (!amount) {
      const [only, more] = row;
      if (more) summed = [];
      else if (only) completeLast(summed, only, locale);
      continue;
    }
    const sum = summed.reduce((total, one) => total + one.value, 0);
    const enough = summed.length >= minRows || (summed.length === 1 && summed[0]?.quantity !== undefined);
    if (enough && follows(summed, amount.run) && Math.abs(amount.value - sum) < centTolerance) return summed;
    const label = row.findLast((run) => run !== amount.run && hasWords(run.text));
    const isSum = label !== undefined && sumScore(label.text) >= minSumLabel;
    // If quantity times price equals the amount in every row, the rows are a list even if the sum
    // below them includes charges.
    if (isSum && summed.length >= minRows && summed.every((one) => one.quantity)) return summed;
    const next = isSum ? undefined : elementOf(page.rows[at - 1], row, amount, locale);
    if (!next || !follows(summed, amount.run)) summed = [];
    if (next) summed.push(next);
  }
  return undefined;
}

/**
 * If the line below the last item is a single text with quantity and price, adds them to the item.
 */
function completeLast(summed: SummedRow[], below: TextRun, locale: Locale): void {
  const last = summed.at(-1);
  if (!last || last.quantity || below.row - last.run.row !== 1) return;
  const factors = factorsIn(below, last.value, locale);
  if (factors) summed[summed.length - 1] = { ...last, quantity: factors.quantity, price: factors.price };
}

const follows = (summed: readonly SummedRow[], amount: TextRun): boolean => {
  const last = summed.at(-1);
  if (!last) return true;
  return Math.abs(amount.box[2] - last.box[2]) < amount.height && amount.row - last.run.row < maxRowsBetween;
};

interface Amount {
  run: TextRun;
  words: readonly number[];
  value: number;
}

/** Matches the tax code that receipts print after an amount. */
const taxCode = /^\s?(?:[A-Z]{1,2}|\*)?$/;

/** Returns the amount at the end of the row. Nothing but a tax code may follow it. */
function amountOf(row: readonly TextRun[], locale: Locale): Amount | undefined {
  const last = row.at(-1);
  const run = last && row.length > 2 && taxCode.test(last.text) ? row.at(-2) : last;
  if (!run || row.length < 2) return undefined;
  const [found] = findValues(run.text, "money", locale);
  if (!found || found.quality < sureAmount || found.start > 0 || typeof found.value !== "number") return undefined;
  if (!taxCode.test(run.text.slice(found.end))) return undefined;
  return { run, words: wordsBetween(run, found.start, found.end), value: found.value };
}

const wordy = /\p{L}{2}/u;

/**
 * Returns the item of a row. If the row has only quantity and price, the item's text is the line
 * above.
 */
function elementOf(
  above: readonly TextRun[] | undefined,
  row: readonly TextRun[],
  amount: Amount,
  locale: Locale,
): SummedRow | undefined {
  const [first, ...others] = row.filter((run) => run.box[0] < amount.run.box[0]);
  if (!first) return undefined;
  const base = { run: first, amount: amount.words, value: amount.value, box: amount.run.box };
  const factors = [first, ...others].flatMap((run) => factorsIn(run, amount.value, locale) ?? [])[0];
  if (!factors) return others.length === 0 && wordy.test(first.text) ? { ...base, text: first.words } : undefined;
  const { quantity, price } = factors;
  if (factors.run !== first)
    return wordy.test(first.text) ? { ...base, quantity, price, text: first.words } : undefined;
  const text = first.words.slice(0, first.words.indexOf(quantity[0] ?? -1));
  if (wordy.test(first.text.slice(0, factors.start))) return { ...base, quantity, price, text };
  const name = above?.length === 1 ? above[0] : undefined;
  return name && hasWords(name.text) ? { ...base, quantity, price, text: name.words } : undefined;
}

interface Factors {
  run: TextRun;
  /** Start of the quantity in the run's text, in UTF-16 units. */
  start: number;
  quantity: readonly number[];
  price: readonly number[];
}

/** Returns two numbers next to each other whose product is the amount, as in "12.5 h x 95.00". */
function factorsIn(run: TextRun, amount: number, locale: Locale): Factors | undefined {
  const numbers = findValues(run.text, "number", locale);
  for (const [at, quantity] of numbers.entries()) {
    const price = numbers[at + 1];
    if (!price || Math.abs(Number(quantity.value) * Number(price.value) - amount) > centTolerance) continue;
    return {
      run,
      start: quantity.start,
      quantity: wordsBetween(run, quantity.start, quantity.end),
      price: wordsBetween(run, price.start, price.end),
    };
  }
  return undefined;
}
