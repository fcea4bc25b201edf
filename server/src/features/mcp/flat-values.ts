/**
 * The values of an extraction as one flat list, so that a client can read long results in parts.
 */
import { escapePointer } from "@sheaf/contract/issues.ts";
import type { ExtractOutputJson } from "@sheaf/contract/mcp-tools.ts";
import type { Evidence, EvidenceRecord, EvidenceValue, LeafValue, ValueRecord } from "../../engine/engine.ts";
import { rounded } from "./places.ts";
import { beginningWithin } from "./tokens.ts";

export type FlatValue = ExtractOutputJson["values"][number];

/** Maximum size of the text of a value, and of its quote, in tokens. */
const maxTextTokens = 600;
/** Maximum number of boxes of a value. A value with more boxes extends over many lines. */
const maxBoxes = 40;

/** Returns every value with its path and evidence, in the order of the fields. */
export function flatValues(data: ValueRecord, evidence: EvidenceRecord, parent = ""): FlatValue[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const path = `${parent}/${escapePointer(name)}`;
    const found: EvidenceValue = evidence[name] ?? null;
    if (!Array.isArray(value)) return [flatValue(path, value, Array.isArray(found) ? null : found)];
    if (value.length === 0) return [{ path, value: [] }];
    return value.flatMap((row, index) => flatValues(row, rowAt(found, index), `${path}/${index}`));
  });
}

const rowAt = (found: EvidenceValue, index: number): EvidenceRecord =>
  (Array.isArray(found) ? found[index] : undefined) ?? {};

function flatValue(path: string, value: LeafValue, evidence: Evidence | null): FlatValue {
  const text = typeof value === "string" ? beginningWithin(value, maxTextTokens) : value;
  const isCut = text !== value;
  const flat = { path: beginningWithin(path, maxTextTokens), value: text, ...(isCut && { is_cut: true }) };
  if (evidence === null) return flat;
  const { page, boxes, quote, confidence } = evidence;
  // Quote and boxes are left out together: a part of a quote would lie in only some of the boxes.
  const whole = beginningWithin(quote, maxTextTokens) === quote && boxes.length <= maxBoxes;
  return {
    ...flat,
    page,
    ...(whole && { boxes: boxes.map((box) => [...rounded(box)] as const), quote }),
    confidence: Math.round(confidence * 100) / 100,
  };
}
