/** Finds rows that contradict the other rows of the list in shape, numbering or arithmetic. */
import type { ListReason } from "../../../engine.ts";
import { findValues } from "../../../values/find-values.ts";
import type { Locale } from "../../../values/locale.ts";
import { isNumeric } from "../list-rows.ts";
import { type GivenRow, isTyped } from "./given-rows.ts";

/** Minimum number of rows in which a regularity can be detected. Chosen by hand, 2026-11. */
const minRows = 6;
/**
 * If at least this share of the rows follows a regularity, the rows that break it are doubtful.
 * Chosen by hand, 2026-11.
 */
const minShare = 0.8;
/**
 * If at least this share of the rows has a value in a column, a row without a value in that column
 * is doubtful. Chosen by hand, 2026-11.
 */
const minFilled = 0.9;
/**
 * Maximum difference between amounts that count as equal: one cent, plus a margin for
 * floating-point errors.
 */
const tolerance = 0.011;
/** Maximum number of numeric columns that are compared with each other. Chosen by hand, 2026-11. */
const maxColumns = 8;

export interface RowDoubt {
  row: GivenRow;
  reason: ListReason;
}

export function rowDoubts(rows: readonly GivenRow[], locale: Locale): RowDoubt[] {
  const found = new Map<GivenRow, ListReason>();
  const add = (row: GivenRow | undefined, reason: ListReason): void => {
    if (row && !found.has(row)) found.set(row, reason);
  };
  for (const check of [shapes, repeats, positions, balances, products, gaps]) check(rows, add, locale);
  return rows.flatMap((row) => {
    const reason = found.get(row);
    return reason ? [{ row, reason }] : [];
  });
}

type Add = (row: GivenRow | undefined, reason: ListReason) => void;

const columnsOf = (rows: readonly GivenRow[]): number => Math.max(0, ...rows.map(({ texts }) => texts.length));

/**
 * Finds rows without a value in a column that nearly all other rows fill, and rows with several
 * values in one cell.
 */
function shapes(rows: readonly GivenRow[], add: Add, locale: Locale): void {
  if (rows.length < minRows) return;
  for (let at = 0; at < columnsOf(rows); at++) {
    const asked = rows[0]?.item.head.columns[at]?.item;
    const counts = rows.map((row) => countOf(row, at, locale));
    const filled = counts.filter((count) => count > 0).length;
    const single = counts.filter((count) => count === 1).length;
    for (const [index, count] of counts.entries()) {
      if (count === 0 && filled >= minFilled * rows.length && filled < rows.length) add(rows[index], "missing_value");
      if (isTyped(asked) && count > 1 && single >= minFilled * filled) add(rows[index], "several_values");
    }
  }
}

/** Counts the values of the column's kind in a cell. A text counts as one value. */
function countOf({ texts, item }: GivenRow, at: number, locale: Locale): number {
  const text = texts[at] ?? "";
  const asked = item.head.columns[at]?.item;
  if (text.trim() === "") return 0;
  if (asked?.format === "date") return findValues(text, "date", locale).length;
  if (asked?.format === "number" || isNumeric(asked)) return findValues(text, "number", locale).length;
  return 1;
}

/**
 * A row counts as a repetition only if it has at least this many filled cells, because rows with
 * fewer are often equal by chance. Chosen by hand, 2026-11.
 */
const minCells = 3;
/**
 * Repeated rows are doubtful only if at most this share of the rows repeats the previous row, or if
 * there is only one. If more rows do, repetition is normal in the list. Chosen by hand, 2026-11.
 */
const maxRepeats = 0.1;

/** Finds rows that equal the previous row, in lists in which repetition is rare. */
function repeats(rows: readonly GivenRow[], add: Add): void {
  const keyOf = ({ texts }: GivenRow): string => texts.join("|");
  const same = rows.filter((row, at) => {
    const before = rows[at - 1];
    return before && row.texts.filter((text) => text !== "").length >= minCells && keyOf(row) === keyOf(before);
  });
  if (same.length <= Math.max(1, maxRepeats * rows.length)) for (const row of same) add(row, "repeated_row");
}

/** In columns that number the rows, finds rows at which a number is skipped or repeated. */
function positions(rows: readonly GivenRow[], add: Add): void {
  if (rows.length < minRows) return;
  for (let at = 0; at < columnsOf(rows); at++) {
    const numbers = rows.map(({ texts }) => countIn(texts[at]));
    const steps = numbers.map((number, index) => (number ?? Number.NaN) - (numbers[index - 1] ?? Number.NaN));
    const next = steps.filter((step) => step === 1).length;
    if (next < minShare * (rows.length - 1)) continue;
    for (const [index, step] of steps.entries()) {
      const isFirst = index === 0;
      const known = numbers[index] !== undefined && numbers[index - 1] !== undefined;
      // The numbering may start again at 1 below the heading of a group.
      if (!isFirst && known && step !== 1 && numbers[index] !== 1) add(rows[index], "position_gap");
    }
    if ((numbers[0] ?? 1) === 2) add(rows[0], "position_gap");
  }
}

const countIn = (text = ""): number | undefined =>
  /^\d{1,6}\.?$/.test(text.trim()) ? Number.parseInt(text, 10) : undefined;

/** Finds rows whose balance is not the previous balance plus or minus the amounts of the row. */
function balances(rows: readonly GivenRow[], add: Add): void {
  if (rows.length < minRows) return;
  const columns = numericColumns(rows);
  for (const balance of columns)
    for (const plus of [undefined, ...columns])
      for (const minus of [undefined, ...columns]) {
        if (plus === minus || plus === balance || minus === balance) continue;
        const changes = new Set(rows.slice(0, sample).map((row) => amountOf(row, plus) - amountOf(row, minus)));
        if (changes.size < minChanges) continue;
        const holds = (at: number, isUp: boolean): boolean | undefined => {
          const [row, before] = isUp ? [rows[at - 1], rows[at]] : [rows[at], rows[at - 1]];
          const [now, then] = [row?.numbers[balance], before?.numbers[balance]];
          if (!row || now === undefined || then === undefined) return undefined;
          const change = amountOf(row, plus) - amountOf(row, minus);
          return Math.abs(then + change - now) < tolerance;
        };
        for (const isUp of [false, true])
          flag(rows, (at) => (at === 0 ? undefined : holds(at, isUp)), add, "balance_mismatch");
      }
}

/**
 * Minimum number of distinct changes of a balance. A column that always changes by the same amount
 * is a row number, not a balance. Chosen by hand, 2026-11.
 */
const minChanges = 3;

const amountOf = (row: GivenRow, at: number | undefined): number => (at === undefined ? 0 : (row.numbers[at] ?? 0));

/**
 * Tries all columns A, B and C. If A times B equals C in most rows, finds the rows in which it does
 * not.
 */
function products(rows: readonly GivenRow[], add: Add): void {
  if (rows.length < minRows) return;
  const columns = numericColumns(rows);
  for (const [first, a] of columns.entries())
    for (const b of columns.slice(first + 1))
      for (const product of columns) {
        if (product === a || product === b) continue;
        const holds = (at: number): boolean | undefined => {
          const [x, y, z] = [a, b, product].map((column) => rows[at]?.numbers[column]);
          if (x === undefined || y === undefined || z === undefined || z === 0) return undefined;
          return Math.abs(x * y - z) < Math.max(tolerance, Math.abs(x) * roundedBy);
        };
        flag(rows, holds, add, "product_mismatch");
      }
}

/** Maximum rounding error of a price, in currency units. */
const roundedBy = 0.0051;

function flag(
  rows: readonly GivenRow[],
  holds: (at: number) => boolean | undefined,
  add: Add,
  reason: ListReason,
): void {
  // Most combinations of columns do not follow the rule, and the first rows are enough to detect
  // this.
  if (rows.length > sample && !isLikely(rows.slice(0, sample).map((_, at) => holds(at)))) return;
  const results = rows.map((_, at) => holds(at));
  const right = results.filter((result) => result === true).length;
  if (right < minRows - 1 || !isLikely(results)) return;
  for (const [at, result] of results.entries()) if (result === false) add(rows[at], reason);
}

/**
 * In a list with more rows than this, a rule is tested on this many rows at the start of the list,
 * and on all rows only if most of these follow it. Chosen by hand, 2026-11.
 */
const sample = 60;

/** Returns true if most of the known results are true. */
const isLikely = (results: readonly (boolean | undefined)[]): boolean => {
  const known = results.filter((result) => result !== undefined);
  return known.filter((result) => result).length >= minShare * known.length;
};

function numericColumns(rows: readonly GivenRow[]): number[] {
  const columns = Array.from({ length: columnsOf(rows) }, (_, at) => at);
  // Columns with few numbers are kept, because a column of deposits may be empty in most rows.
  return columns
    .filter((at) => rows.filter(({ numbers }) => numbers[at] !== undefined).length > 2)
    .slice(0, maxColumns);
}

/**
 * White space between rows is doubtful only if at least this share of the distances between rows
 * equals the usual distance. Chosen by hand, 2026-11.
 */
const minEven = 0.85;
/**
 * A distance counts as equal to the usual distance if the relative difference is less than this.
 * Chosen by hand, 2026-11.
 */
const evenness = 0.12;
/**
 * There is room for another row between two rows if their distance is at least this multiple of the
 * usual distance. Chosen by hand, 2026-11.
 */
const minBlank = 1.7;

/** Finds white space that has room for another row, in lists with evenly spaced rows. */
function gaps(rows: readonly GivenRow[], add: Add): void {
  const distances = rows.map(({ page, item }, at) => {
    const before = rows[at - 1];
    return before?.page === page ? item.anchor.top - before.item.anchor.top : undefined;
  });
  const known = distances.filter((distance) => distance !== undefined).sort((a, b) => a - b);
  const usual = known[known.length >> 1] ?? 0;
  if (known.length < minRows || usual <= 0) return;
  const even = known.filter((distance) => Math.abs(distance / usual - 1) < evenness).length;
  if (even < minEven * known.length) return;
  for (const [at, distance] of distances.entries()) {
    const before = rows[at - 1];
    const row = rows[at];
    if (distance === undefined || !before || !row || distance < minBlank * usual) continue;
    const isBlank = !row.page.runs.some(({ box }) => box[1] > before.box[3] && box[3] < row.box[1]);
    if (isBlank && before.box[3] - before.box[1] < usual) add(row, "blank_gap");
  }
}
