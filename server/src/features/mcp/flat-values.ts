/**
 * The values of an extraction as one flat list, so that a client can read long results in parts.
 */
import type { FailedRuleJson } from "@sheaf/contract/extraction-result.ts";
import { escapePointer } from "@sheaf/contract/issues.ts";
import type { ExtractOutputJson } from "@sheaf/contract/mcp-tools.ts";
import type { Evidence, EvidenceRecord, EvidenceValue, LeafValue, ValueRecord } from "../../engine/engine.ts";
import { rounded } from "./places.ts";
import { beginningWithin } from "./tokens.ts";

export type FlatValue = ExtractOutputJson["values"][number];

/** Maximum size of the text of a value, and of its quote, in tokens. A longer quote is left out. */
const maxTextTokens = 600;
/** Maximum size of the message of a failed rule, in tokens. */
const maxMessageTokens = 120;
/**
 * Maximum number of boxes of a value. If there are more, neither boxes nor the quote are returned.
 * Only values that extend over many lines have more.
 */
const maxBoxes = 40;

/** A result of an extraction with one record. */
export interface FlatInput {
  data: ValueRecord;
  evidence: EvidenceRecord;
  failedRules?: readonly FailedRuleJson[] | undefined;
}

/** Returns every value with its path, evidence and failed rules, in the order of the fields. */
export function flatValues({ data, evidence, failedRules = [] }: FlatInput): FlatValue[] {
  // Paths of rules begin with the index of the record.
  const failedAt = Map.groupBy(failedRules, ({ path }) => path.replace(/^\/0/, ""));
  return [...valuesOf(data, evidence, "")].map(({ path, value, evidence }) => ({
    ...flatValue(path, value, evidence),
    ...failuresJson(failedAt.get(path)),
  }));
}

function failuresJson(failed: readonly FailedRuleJson[] | undefined): Pick<FlatValue, "failed_rules"> {
  if (failed === undefined) return {};
  return {
    failed_rules: failed.map(({ rule, message }) => ({ rule, message: beginningWithin(message, maxMessageTokens) })),
  };
}

interface PlacedValue {
  path: string;
  value: LeafValue | [];
  evidence: Evidence | null;
}

function* valuesOf(data: ValueRecord, evidence: EvidenceRecord, parent: string): Generator<PlacedValue> {
  for (const [name, value] of Object.entries(data)) {
    const path = `${parent}/${escapePointer(name)}`;
    const found: EvidenceValue = evidence[name] ?? null;
    if (!Array.isArray(value)) yield { path, value, evidence: Array.isArray(found) ? null : found };
    else if (value.length === 0) yield { path, value: [], evidence: null };
    else for (const [index, row] of value.entries()) yield* valuesOf(row, rowAt(found, index), `${path}/${index}`);
  }
}

const rowAt = (found: EvidenceValue, index: number): EvidenceRecord =>
  (Array.isArray(found) ? found[index] : undefined) ?? {};

function flatValue(path: string, value: LeafValue | [], evidence: Evidence | null): FlatValue {
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
