/** Order of the fields of a review on the screen. */
import { boundsOf } from "../../document/geometry.ts";
import { type FieldNode, type ListNode, type RowNode, valuesOf } from "./review-model.ts";

export type SortOrder = "document" | "confidence";

/**
 * Returns the fields of a record, either in the order of the document or sorted by confidence,
 * lowest first.
 */
export function sortedFields(row: RowNode, order: SortOrder): FieldNode[] {
  const rank = order === "document" ? placeOf : (node: FieldNode) => [confidenceOf(node)];
  const ranked = row.fields.map((node) => ({ node, rank: rank(node) }));
  return ranked.sort((one, other) => compare(one.rank, other.rank)).map(({ node }) => node);
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/**
 * Returns the page and position of the evidence, for sorting. Uses the evidence rather than drawn
 * boxes, so that a correction does not move the field. Fields without evidence come last.
 */
function placeOf(node: FieldNode): number[] {
  const first = node.kind === "value" ? node.evidence : valuesOf(node.rows).find((each) => each.evidence)?.evidence;
  const bounds = first && boundsOf(first.boxes);
  return first && bounds ? [first.page, bounds[1], bounds[0]] : [Number.MAX_SAFE_INTEGER, 0, 0];
}

/**
 * Returns the confidence of the extracted value. For a list, returns the lowest confidence of its
 * values.
 */
function confidenceOf(node: FieldNode): number {
  if (node.kind === "value") return node.original === null ? -1 : (node.evidence?.confidence ?? 0);
  if (node.rows.length === 0) return -1;
  return valuesOf(node.rows)
    .filter(({ value }) => value !== null)
    .reduce((least, value) => Math.min(least, confidenceOf(value)), 1);
}

/**
 * Yields every field in the order of the screen. Each list is followed by the fields of its rows.
 */
export function* sequenceOf(records: readonly RowNode[], order: SortOrder): Generator<FieldNode> {
  for (const record of records)
    for (const node of sortedFields(record, order)) {
      yield node;
      if (node.kind === "list") yield* inList(node);
    }
}

function* inList(list: ListNode): Generator<FieldNode> {
  for (const row of list.rows)
    for (const node of row.fields) {
      yield node;
      if (node.kind === "list") yield* inList(node);
    }
}
