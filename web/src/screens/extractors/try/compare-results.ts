/** Compares two results of the same file, cell by cell. */
import type { ExtractedRecord, ExtractionParam } from "@sheaf/client";
import type { Value } from "./result.ts";

export type DifferenceKind =
  | "changed"
  /** The cell had no value before. */
  | "found"
  /** The cell has no value any more. */
  | "lost"
  | "row_added"
  | "row_removed"
  | "field_added"
  | "field_removed";

export interface Difference {
  kind: DifferenceKind;
  /** Path of the cell, such as `["lines", 2, "amount"]`. Row numbers are counted from 1. */
  place: readonly (string | number)[];
  before?: Value;
  after?: Value;
}

export interface Comparison {
  differences: Difference[];
  /** Number of cells with the same value. A cell that is empty in both results is not counted. */
  same: number;
}

export interface ComparedResult {
  fields: readonly ExtractionParam[];
  data: readonly ExtractedRecord[];
}

/**
 * Compares two results. Each row of a list is compared with the most similar row of the other list;
 * the order of the rows is kept.
 */
export function compareResults(before: ComparedResult, after: ComparedResult): Comparison {
  const comparison: Comparison = { differences: [], same: 0 };
  const count = Math.max(before.data.length, after.data.length);
  for (let index = 0; index < count; index++) {
    const place = count > 1 ? [index + 1] : [];
    compareRecords(comparison, place, before.fields, before.data[index], after.fields, after.data[index]);
  }
  return comparison;
}

type Place = Difference["place"];
type Fields = readonly ExtractionParam[];

function compareRecords(
  comparison: Comparison,
  place: Place,
  fieldsBefore: Fields,
  before: ExtractedRecord | undefined,
  fieldsAfter: Fields,
  after: ExtractedRecord | undefined,
): void {
  const { differences } = comparison;
  for (const field of fieldsAfter) {
    const { name } = field;
    const old = fieldsBefore.find((each) => each.name === name);
    const at = [...place, name];
    const value = after?.[name] ?? null;
    if (old === undefined) differences.push({ kind: "field_added", place: at, after: value });
    else if (field.format === "list" && old.format === "list")
      compareLists(comparison, at, old.items ?? [], before?.[name], field.items ?? [], value);
    else compareValues(comparison, at, before?.[name] ?? null, value);
  }
  for (const { name } of fieldsBefore)
    if (!fieldsAfter.some((each) => each.name === name))
      differences.push({ kind: "field_removed", place: [...place, name], before: before?.[name] ?? null });
}

function compareValues(comparison: Comparison, place: Place, before: Value, after: Value): void {
  if (isSame(before, after)) {
    if (!isEmpty(after)) comparison.same++;
    return;
  }
  const kind = isEmpty(before) ? "found" : isEmpty(after) ? "lost" : "changed";
  comparison.differences.push({ kind, place, before, after });
}

const isEmpty = (value: Value | undefined): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const isSame = (one: Value | undefined, other: Value | undefined): boolean =>
  one === other || (isEmpty(one) && isEmpty(other)) || JSON.stringify(one) === JSON.stringify(other);

function compareLists(
  comparison: Comparison,
  place: Place,
  fieldsBefore: Fields,
  before: Value | undefined,
  fieldsAfter: Fields,
  after: Value,
): void {
  const rowsBefore = Array.isArray(before) ? before : [];
  const rowsAfter = Array.isArray(after) ? after : [];
  const names = fieldsAfter.map(({ name }) => name);
  for (const [from, to] of alignRows(rowsBefore, rowsAfter, names)) {
    const row = from === undefined ? undefined : rowsBefore[from];
    const other = to === undefined ? undefined : rowsAfter[to];
    if (row === undefined && to !== undefined && other !== undefined)
      comparison.differences.push({ kind: "row_added", place: [...place, to + 1], after: [other] });
    else if (other === undefined && from !== undefined && row !== undefined)
      comparison.differences.push({ kind: "row_removed", place: [...place, from + 1], before: [row] });
    else if (to !== undefined) compareRecords(comparison, [...place, to + 1], fieldsBefore, row, fieldsAfter, other);
  }
}

/**
 * Maximum number of pairs of rows for which the similarity is calculated. In longer lists, rows are
 * paired by position.
 */
const maxPairs = 250_000;

type Pair = readonly [before: number | undefined, after: number | undefined];

/**
 * Pairs the rows of two lists, keeping their order, so that as many cells as possible are equal.
 */
function alignRows(before: readonly ExtractedRecord[], after: readonly ExtractedRecord[], names: string[]): Pair[] {
  const pairs: Pair[] = [];
  let from = 0;
  let to = 0;
  // Pairs the rows between two anchors by position, on the assumption that only their cells have
  // changed.
  const fill = (endBefore: number, endAfter: number) => {
    while (from < endBefore || to < endAfter)
      pairs.push([from < endBefore ? from++ : undefined, to < endAfter ? to++ : undefined]);
  };
  const anchors = before.length * after.length > maxPairs ? [] : anchorsOf(before, after, names);
  for (const [anchorBefore, anchorAfter] of anchors) {
    fill(anchorBefore, anchorAfter);
    pairs.push([from++, to++]);
  }
  fill(before.length, after.length);
  return pairs;
}

/**
 * Returns the anchors: pairs of rows that have at least one equal cell that is not empty. They are
 * the longest common subsequence, weighted by the number of such cells.
 */
function anchorsOf(before: readonly ExtractedRecord[], after: readonly ExtractedRecord[], names: string[]) {
  const width = after.length + 1;
  const best = new Float64Array((before.length + 1) * width);
  const likeness = (from: number, to: number) =>
    names.filter((name) => !isEmpty(before[from]?.[name]) && isSame(before[from]?.[name], after[to]?.[name])).length;
  const at = (from: number, to: number) => best[from * width + to] ?? 0;
  for (let from = before.length - 1; from >= 0; from--)
    for (let to = after.length - 1; to >= 0; to--) {
      const cells = likeness(from, to);
      const paired = cells > 0 ? cells + at(from + 1, to + 1) : 0;
      best[from * width + to] = Math.max(paired, at(from + 1, to), at(from, to + 1));
    }
  const anchors: [number, number][] = [];
  for (let from = 0, to = 0; from < before.length && to < after.length; ) {
    const cells = likeness(from, to);
    if (cells > 0 && at(from, to) === cells + at(from + 1, to + 1)) anchors.push([from++, to++]);
    else if (at(from, to) === at(from + 1, to)) from++;
    else to++;
  }
  return anchors;
}
