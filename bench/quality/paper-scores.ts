/** Compares the values and list rows extracted from a document with those printed on it. */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Paper } from "../../fit/papers/papers.ts";
import { isSame } from "../../fit/papers/same-value.ts";
import type { LeafValue, Value, ValueRecord } from "../../server/src/engine/engine.ts";

/** Numbers of matching fields, list rows and list cells. */
export interface Score {
  papers: number;
  fields: Matches;
  rows: Matches;
  cells: Matches;
  /** Number of fields whose value is not in the document. */
  nulls: number;
  /** Number of fields without a value in the document that were correctly left empty. */
  nullsKept: number;
  /** Names of the fields whose value is wrong. */
  wrong: readonly string[];
}

export interface Matches {
  right: number;
  given: number;
  expected: number;
}

const noMatches: Matches = { right: 0, given: 0, expected: 0 };

export const noScore: Score = {
  papers: 0,
  fields: noMatches,
  rows: noMatches,
  cells: noMatches,
  nulls: 0,
  nullsKept: 0,
  wrong: [],
};

const plus = (a: Matches, b: Matches): Matches => ({
  right: a.right + b.right,
  given: a.given + b.given,
  expected: a.expected + b.expected,
});

export const sumOf = (a: Score, b: Score): Score => ({
  papers: a.papers + b.papers,
  fields: plus(a.fields, b.fields),
  rows: plus(a.rows, b.rows),
  cells: plus(a.cells, b.cells),
  nulls: a.nulls + b.nulls,
  nullsKept: a.nullsKept + b.nullsKept,
  wrong: [...a.wrong, ...b.wrong],
});

export function scoreOf({ fields, lists }: Paper, data: ValueRecord): Score {
  const judged = fields.map(({ name, format, value, accept = [] }) => {
    const given = data[name] ?? null;
    const right = [value, ...accept].some((expected) => isSame(given, expected, format));
    return { name, isNull: value === null, isGiven: given !== null, right };
  });
  const matched = lists.map(({ name, items, rows }) => matchRows(rowsOf(data[name]), rows, items));
  const nulls = judged.filter(({ isNull }) => isNull);
  return {
    papers: 1,
    fields: {
      right: judged.filter(({ right, isNull }) => right && !isNull).length,
      given: judged.filter(({ isGiven }) => isGiven).length,
      expected: judged.length - nulls.length,
    },
    rows: matched.map(({ rows }) => rows).reduce(plus, noMatches),
    cells: matched.map(({ cells }) => cells).reduce(plus, noMatches),
    nulls: nulls.length,
    nullsKept: nulls.filter(({ right }) => right).length,
    wrong: judged.filter(({ right }) => !right).map(({ name }) => name),
  };
}

const rowsOf = (value: Value | undefined): ValueRecord[] => (Array.isArray(value) ? (value as ValueRecord[]) : []);

/** When rows are aligned, a completely correct row counts as this many additional correct cells. */
const wholeRow = 0.5;

/**
 * Aligns the rows of both lists, keeping their order, so that as many cells as possible are equal.
 */
function matchRows(
  given: readonly ValueRecord[],
  expected: readonly Record<string, LeafValue>[],
  items: readonly ExtractionParam[],
): { rows: Matches; cells: Matches } {
  let above: Alignment[] = [nothingAligned, ...expected.map(() => nothingAligned)];
  for (const row of given) {
    const current: Alignment[] = [nothingAligned];
    for (const [at, other] of expected.entries()) {
      const { cells, whole } = compare(row, other, items);
      const before = above[at] ?? nothingAligned;
      const both = {
        worth: before.worth + cells + (whole ? wholeRow : 0),
        rows: before.rows + (whole ? 1 : 0),
        cells: before.cells + cells,
      };
      const skipped = [above[at + 1] ?? nothingAligned, current[at] ?? nothingAligned];
      current.push([both, ...skipped].reduce((best, each) => (each.worth > best.worth ? each : best)));
    }
    above = current;
  }
  const { rows, cells } = above.at(-1) ?? nothingAligned;
  const filled = (of: readonly ValueRecord[]): number =>
    of.reduce((sum, row) => sum + items.filter(({ name }) => (row[name] ?? null) !== null).length, 0);
  return {
    rows: { right: rows, given: given.length, expected: expected.length },
    cells: { right: cells, given: filled(given), expected: filled(expected) },
  };
}

/** The best alignment of the first rows of both lists. */
interface Alignment {
  worth: number;
  /** Number of completely correct rows. */
  rows: number;
  /** Number of correct cells that are not null. */
  cells: number;
}

const nothingAligned: Alignment = { worth: 0, rows: 0, cells: 0 };

/** Returns the number of correct cells that are not null, and whether all cells are correct. */
function compare(
  given: ValueRecord,
  expected: Record<string, LeafValue>,
  items: readonly ExtractionParam[],
): { cells: number; whole: boolean } {
  const same = items.filter(({ name, format }) => isSame(given[name] ?? null, expected[name] ?? null, format));
  const cells = same.filter(({ name }) => (expected[name] ?? null) !== null).length;
  return { cells, whole: same.length === items.length };
}
