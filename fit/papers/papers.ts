/** The invented papers of this folder, and how values are compared with theirs. See README.md. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ExtractionParam, ParamFormat } from "@sheaf/contract/params.ts";
import type { LeafValue, Value, ValueRecord } from "../../server/src/engine/engine.ts";

interface PaperFile {
  kind: string;
  language: string;
  fields: { name: string; format: ParamFormat; description: string; value: LeafValue; accept?: LeafValue[] }[];
  lists?: { name: string; description: string; items: ExtractionParam[]; rows: Record<string, LeafValue>[] }[];
}

export interface Paper extends Required<PaperFile> {
  /** Author and number, such as `03-12`. */
  name: string;
  /** Path of the HTML file. */
  page: string;
}

export const authorOf = ({ name }: Paper): string => name.slice(0, 2);

export function readPapers(): Paper[] {
  const paths = globSync(join(import.meta.dirname, "*/*.json")).sort();
  return paths.map((path) => {
    const file: PaperFile = JSON.parse(readFileSync(path, "utf8"));
    const name = `${basename(dirname(path))}-${basename(path, ".json")}`;
    return { lists: [], ...file, name, page: path.replace(/\.json$/, ".html") };
  });
}

/** Returns what the users of a paper ask for. */
export const paramsOf = ({ fields, lists }: Paper): ExtractionParam[] => [
  ...fields.map(({ name, format, description }): ExtractionParam => ({ name, format, description })),
  ...lists.map(({ rows: _, ...list }): ExtractionParam => ({ ...list, format: "list" })),
];

/** Counts from which precision, recall and F1 of fields, list rows and list cells follow. */
export interface Score {
  papers: number;
  fields: Matches;
  rows: Matches;
  cells: Matches;
  /** Fields that are not on the paper, and those of them that were left empty. */
  nulls: number;
  nullsKept: number;
  /** Names of the fields with a wrong value. */
  wrong: string[];
}

interface Matches {
  right: number;
  given: number;
  expected: number;
}

const none: Matches = { right: 0, given: 0, expected: 0 };
const plus = (a: Matches, b: Matches): Matches => ({
  right: a.right + b.right,
  given: a.given + b.given,
  expected: a.expected + b.expected,
});

export const noScore: Score = { papers: 0, fields: none, rows: none, cells: none, nulls: 0, nullsKept: 0, wrong: [] };

export const sumOf = (a: Score, b: Score): Score => ({
  papers: a.papers + b.papers,
  fields: plus(a.fields, b.fields),
  rows: plus(a.rows, b.rows),
  cells: plus(a.cells, b.cells),
  nulls: a.nulls + b.nulls,
  nullsKept: a.nullsKept + b.nullsKept,
  wrong: [...a.wrong, ...b.wrong],
});

/** Scores the data that was extracted from a paper. */
export function scoreOf(paper: Paper, data: ValueRecord): Score {
  const score: Score = { ...noScore, papers: 1, wrong: [] };
  for (const { name, format, value, accept = [] } of paper.fields) {
    const given = data[name] ?? null;
    const right = [value, ...accept].some((each) => isSame(given, each, format));
    const counted = { right: right ? 1 : 0, given: given === null ? 0 : 1 };
    if (!right) score.wrong.push(name);
    if (value === null) {
      score.nulls++;
      score.nullsKept += right ? 1 : 0;
      score.fields = plus(score.fields, { right: 0, given: counted.given, expected: 0 });
    } else score.fields = plus(score.fields, { ...counted, expected: 1 });
  }
  for (const { name, items, rows } of paper.lists) {
    const found = Array.isArray(data[name]) ? (data[name] as ValueRecord[]) : [];
    const matched = matchRows(found, rows, items);
    score.rows = plus(score.rows, matched.rows);
    score.cells = plus(score.cells, matched.cells);
  }
  return score;
}

/** Amounts are equal up to half a cent. */
const tolerance = 0.0051;

/** Compares a value with the one on the paper. In text only letters and digits count. */
export function isSame(given: Value, expected: LeafValue, format: ParamFormat): boolean {
  if (given === null || expected === null) return given === expected;
  if (format === "number") return Math.abs(Number(given) - Number(expected)) < tolerance;
  return format === "text" ? keyOf(given) === keyOf(expected) : given === expected;
}

const keyOf = (value: Value): string =>
  String(value)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Aligns rows in order so that as many cells as possible are the same. */
function matchRows(
  found: readonly ValueRecord[],
  rows: readonly Record<string, LeafValue>[],
  items: readonly ExtractionParam[],
): { rows: Matches; cells: Matches } {
  const pairs = found.map((given) => rows.map((row) => compared(given, row, items)));
  const best = Array.from({ length: found.length + 1 }, () => new Float64Array(rows.length + 1));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const worth = (i: number, j: number): number => (pairs[i]?.[j]?.cells ?? 0) + (pairs[i]?.[j]?.whole ? 0.5 : 0);
  for (let i = found.length - 1; i >= 0; i--)
    for (let j = rows.length - 1; j >= 0; j--)
      (best[i] as Float64Array)[j] = Math.max(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1) + worth(i, j));
  let [whole, cells] = [0, 0];
  for (let i = 0, j = 0; i < found.length && j < rows.length; ) {
    if (at(i, j) === at(i + 1, j + 1) + worth(i, j)) {
      whole += pairs[i]?.[j]?.whole ? 1 : 0;
      cells += pairs[i]?.[j]?.cells ?? 0;
      i++;
      j++;
    } else if (at(i, j) === at(i + 1, j)) i++;
    else j++;
  }
  const filled = (of: readonly ValueRecord[]): number =>
    of.reduce((sum, row) => sum + items.filter(({ name }) => (row[name] ?? null) !== null).length, 0);
  return {
    rows: { right: whole, given: found.length, expected: rows.length },
    cells: { right: cells, given: filled(found), expected: filled(rows) },
  };
}

function compared(
  given: ValueRecord,
  row: Record<string, LeafValue>,
  items: readonly ExtractionParam[],
): { cells: number; whole: boolean } {
  const same = items.filter(({ name, format }) => isSame(given[name] ?? null, row[name] ?? null, format));
  return { cells: same.filter(({ name }) => (row[name] ?? null) !== null).length, whole: same.length === items.length };
}
