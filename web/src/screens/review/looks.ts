/** Determines which values of a review need a check, and why. */
import { sequenceOf } from "./field-order.ts";
import { type FieldNode, type ListNode, type RowNode, type ValueNode, valuesOf } from "./review-model.ts";

/** Confidence below which a value needs a check. The service uses the same limit. */
export const lookBelowConfidence = 0.9;

/** The reason why a value needs a check, or why it needs no check. */
export type Look =
  | "corrected"
  | "confirmed"
  | "nulled"
  | "not_found"
  | "no_evidence"
  | "low_confidence"
  | "sure"
  | "empty";

export function lookOf(node: FieldNode): Look {
  if (node.kind === "list") {
    if (node.rows.length === 0) return node.isChecked ? "confirmed" : "not_found";
    return valuesNeedingLook(node).next().done ? "sure" : "low_confidence";
  }
  if (node.state !== "unchanged") return node.state;
  // Empty cells are common in tables, so they need no check.
  if (node.value === null) return node.isInList ? "empty" : "not_found";
  if (node.evidence === undefined) return "no_evidence";
  return node.evidence.confidence < lookBelowConfidence ? "low_confidence" : "sure";
}

const looksNeeded: ReadonlySet<Look> = new Set(["not_found", "no_evidence", "low_confidence"]);

/**
 * Returns true if the node itself needs a check. A list with rows never needs a check itself; only
 * its values can.
 */
export const needsLook = (node: FieldNode): boolean =>
  looksNeeded.has(lookOf(node)) && (node.kind === "value" || node.rows.length === 0);

function* valuesNeedingLook(list: ListNode): Generator<ValueNode> {
  for (const node of valuesOf(list.rows)) if (needsLook(node)) yield node;
}

/**
 * Returns the next or previous field that needs a check, wrapping around at the ends; undefined if
 * no other field needs a check.
 */
export function nextToLook(
  sequence: readonly FieldNode[],
  path: string | undefined,
  direction: 1 | -1,
): FieldNode | undefined {
  const at = sequence.findIndex((node) => node.path === path);
  const start = at === -1 && direction === -1 ? 0 : at;
  for (let step = 1; step <= sequence.length; step++) {
    const node = sequence[(start + direction * step + 2 * sequence.length) % sequence.length];
    if (node !== undefined && node.path !== path && needsLook(node)) return node;
  }
  return undefined;
}

/** Returns the counts of values that the head of the workbench shows. */
export function countsOf(records: readonly RowNode[]): { toLook: number; corrected: number; confirmed: number } {
  const counts = { toLook: 0, corrected: 0, confirmed: 0 };
  const count = (node: FieldNode) => {
    if (needsLook(node)) counts.toLook++;
    if (node.kind === "value" && (node.state === "corrected" || node.state === "nulled")) counts.corrected++;
    if (node.kind === "value" && node.state === "confirmed") counts.confirmed++;
  };
  for (const node of sequenceOf(records, "document")) count(node);
  return counts;
}
