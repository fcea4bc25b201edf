/**
 * Compares a result with the ground truth (the correct values, as reviewed by a person), value by
 * value. First aligns the rows of lists, so that one missing row does not make all later rows
 * wrong.
 */
import { escapePointer } from "@sheaf/contract/issues.ts";
import type { LeafValue, Value, ValueRecord } from "../../engine/engine.ts";

/** A correct value and the corresponding value of the result. Either of them may be missing. */
export interface Cell {
  /** JSON pointer with row indexes, such as `/lines/2/amount`. */
  path: string;
  /** JSON pointer without row indexes, such as `/lines/amount`. */
  field: string;
  truth: LeafValue;
  given: LeafValue;
}

/**
 * Returns the pairs of values to compare in a record. Leaves out fields whose correct values are
 * not known.
 * @param isKnown returns whether the truth contains a field, given its path without row indexes
 */
export function cellsOf(truth: ValueRecord, given: ValueRecord, isKnown: (field: string) => boolean): Cell[] {
  const cells: Cell[] = [];
  addRecord(cells, { truth, given }, { path: "", field: "" }, isKnown);
  return cells;
}

/** Returns the paths of all fields of a record, without row indexes, such as `/lines/amount`. */
export function pathsOf(record: ValueRecord, parent = ""): Set<string> {
  const paths = new Set<string>();
  for (const [name, value] of Object.entries(record)) {
    const path = `${parent}/${escapePointer(name)}`;
    paths.add(path);
    for (const row of rowsOf(value)) for (const inner of pathsOf(row, path)) paths.add(inner);
  }
  return paths;
}

interface Place {
  path: string;
  field: string;
}

function addRecord(
  cells: Cell[],
  { truth, given }: { truth: ValueRecord; given: ValueRecord },
  at: Place,
  isKnown: (field: string) => boolean,
): void {
  for (const name of new Set([...Object.keys(truth), ...Object.keys(given)])) {
    const key = `/${escapePointer(name)}`;
    const place = { path: at.path + key, field: at.field + key };
    if (!isKnown(place.field)) continue;
    const pair = { truth: own(truth, name), given: own(given, name) };
    if (Array.isArray(pair.truth) || (pair.truth === null && Array.isArray(pair.given)))
      addRows(cells, { truth: rowsOf(pair.truth), given: rowsOf(pair.given) }, place, isKnown);
    else cells.push({ ...place, truth: pair.truth, given: Array.isArray(pair.given) ? null : pair.given });
  }
}

const own = (record: ValueRecord, name: string): Value => (Object.hasOwn(record, name) ? (record[name] ?? null) : null);

const rowsOf = (value: Value): ValueRecord[] => (Array.isArray(value) ? value : []);

function addRows(
  cells: Cell[],
  { truth, given }: { truth: ValueRecord[]; given: ValueRecord[] },
  { path, field }: Place,
  isKnown: (field: string) => boolean,
): void {
  const pairs = alignRows(truth, given);
  const paired = new Set(pairs.values());
  for (const [index, row] of truth.entries()) {
    const found = pairs.get(index);
    const place = { path: `${path}/${index}`, field };
    addRecord(cells, { truth: row, given: found === undefined ? {} : (given[found] ?? {}) }, place, isKnown);
  }
  let next = truth.length;
  for (const [index, row] of given.entries())
    if (!paired.has(index)) addRecord(cells, { truth: {}, given: row }, { path: `${path}/${next++}`, field }, isKnown);
}

/**
 * Maximum difference between the indexes of two rows that are paired. Header and footer rows that
 * the result wrongly includes or lacks shift the indexes, but not by more rows than this.
 * Chosen by hand, 2026-11.
 */
const band = 40;

/**
 * Pairs the rows of the truth with the rows of the result, without changing their order, so that as
 * many values as possible are equal. Rows left over between two pairs are then paired in order. The
 * time is linear in the number of rows. Returns a map from the indexes of rows of the truth to the
 * indexes of rows of the result.
 */
export function alignRows(truth: readonly ValueRecord[], given: readonly ValueRecord[]): Map<number, number> {
  const width = 2 * band + 1;
  const keys = given.map(keysOf);
  // best[i][j - i + band]: maximum number of equal values if the first i rows of the truth are
  // paired with the first j rows of the result.
  const best = Array.from({ length: truth.length + 1 }, () => new Int32Array(width));
  const at = (i: number, j: number): number => best[i]?.[j - i + band] ?? 0;
  const similar = Array.from({ length: truth.length }, () => new Int32Array(width));
  for (let i = 1; i <= truth.length; i++) {
    const row = keysOf(truth[i - 1] ?? {});
    for (let j = Math.max(1, i - band); j <= Math.min(given.length, i + band); j++) {
      const same = countSame(row, keys[j - 1]);
      const [sames, bests] = [similar[i - 1], best[i]];
      if (sames === undefined || bests === undefined) continue;
      sames[j - i + band] = same;
      bests[j - i + band] = Math.max(at(i - 1, j - 1) + same, at(i - 1, j), at(i, j - 1));
    }
  }
  const pairs = new Map<number, number>();
  let [i, j] = [truth.length, Math.min(given.length, truth.length + band)];
  while (i > 0 && j > 0) {
    const same = similar[i - 1]?.[j - i + band] ?? 0;
    if (same > 0 && at(i, j) === at(i - 1, j - 1) + same) pairs.set(--i, --j);
    else if (at(i, j) === at(i - 1, j)) i--;
    else j--;
  }
  return withRowsBetween(pairs, truth.length, given.length);
}

/** Pairs the remaining rows in order, within the gaps between pairs. */
function withRowsBetween(pairs: ReadonlyMap<number, number>, rows: number, givenRows: number): Map<number, number> {
  const all = new Map(pairs);
  let [from, free] = [0, 0];
  const fill = (to: number, end: number): void => {
    for (; from < to && free < end; from++, free++) all.set(from, free);
    [from, free] = [to + 1, end + 1];
  };
  for (const [row, found] of [...pairs].sort(([a], [b]) => a - b)) fill(row, found);
  fill(rows, givenRows);
  return all;
}

type Keys = ReadonlyMap<string, string>;

const keysOf = (row: ValueRecord): Keys => {
  const keys = new Map<string, string>();
  for (const [name, value] of Object.entries(row))
    if (value !== null && !Array.isArray(value)) keys.set(name, keyOf(value));
  return keys;
};

function countSame(one: Keys, other: Keys | undefined): number {
  let count = 0;
  for (const [name, key] of one) if (other?.get(name) === key) count++;
  return count;
}

/**
 * Returns a key that is the same for values that count as equal. Text is compared without regard to
 * case, white space, and punctuation at its ends. A number never equals a text of digits.
 */
export function keyOf(value: Exclude<Value, ValueRecord[]>): string {
  if (typeof value === "number") return `number ${Number(value.toPrecision(12))}`;
  if (typeof value !== "string") return String(value);
  const text = value.normalize("NFKC").toLowerCase().replace(/\s/gu, "");
  return `text ${trimmed(text)}`;
}

const punctuation = new Set([..."., ;:!?'\"“”„«»()[]"]);

function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && punctuation.has(text.charAt(start))) start++;
  while (end > start && punctuation.has(text.charAt(end - 1))) end--;
  return text.slice(start, end) || text;
}

export const isSame = (one: LeafValue, other: LeafValue): boolean => one === other || keyOf(one) === keyOf(other);
