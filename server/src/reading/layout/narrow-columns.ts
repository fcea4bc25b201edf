/**
 * Finds columns that are so close to the next one that a single line shows no gap between them.
 * Examples are an item number before a description, and a unit after a quantity. The gap is visible
 * only when all rows are considered together.
 */

import { isNumber } from "./number-words.ts";
import type { PlacedWord } from "./placed-word.ts";
import type { TextRow } from "./text-rows.ts";

/**
 * Minimum number of rows that must have words after their number for a narrow column to be found.
 * Chosen by hand, 2026-11.
 */
const minRows = 3;
/** Minimum width of a strip of white space through all rows, in points. Chosen by hand, 2026-11. */
const minGap = 1.5;

/** Returns the given column edges and the edges of the narrow columns, from left to right. */
export function narrowColumns(
  edges: readonly number[],
  rows: readonly (readonly TextRow[])[],
  header: readonly PlacedWord[],
): number[] {
  const result = [...edges];
  const firstLines = rows.flatMap((row) => row.slice(0, 1)).map((line) => line.runs.flatMap(({ words }) => words));
  if (firstLines.length < minRows) return result;
  for (let column = 0; column + 1 < edges.length; column++) {
    const from = edges[column] ?? 0;
    const to = edges[column + 1] ?? 0;
    const within = firstLines.map((words) => words.filter(({ box }) => box[0] >= from - 1 && box[2] <= to + 1));
    const cut = cutAfterNumber(within.filter((words) => words.length > 0));
    if (cut !== undefined && !header.some(({ box }) => box[0] < cut - 1 && box[2] > cut + 1)) result.push(cut);
  }
  return result.sort((a, b) => a - b);
}

/** Minimum share of the rows that must have words after their number. Chosen by hand, 2026-11. */
const minPairs = 0.8;

/**
 * Returns the x coordinate at which to split a column. Every row must begin with a number, and the
 * second words of all rows must begin to the right of all these numbers. Otherwise returns
 * undefined.
 */
function cutAfterNumber(rows: readonly PlacedWord[][]): number | undefined {
  const pairs = rows.filter((words) => words.length >= 2);
  if (pairs.length < minRows || pairs.length < minPairs * rows.length) return undefined;
  if (!rows.every((words) => isNumber(words[0]?.text ?? ""))) return undefined;
  if (pairs.every((words) => words.slice(1).every(({ text }) => isNumber(text) || text.length < 2))) return undefined;
  const end = Math.max(...rows.map((words) => words[0]?.box[2] ?? 0));
  const start = Math.min(...pairs.map((words) => words[1]?.box[0] ?? 0));
  return start - end >= minGap ? (start + end) / 2 : undefined;
}
