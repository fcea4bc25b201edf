import type { ParamFormat } from "@sheaf/contract/params.ts";
import type { LeafValue, Value } from "../../server/src/engine/engine.ts";

/**
 * Maximum difference between numbers that count as equal: half a cent, plus the rounding error of
 * binary fractions.
 */
const tolerance = 0.0051;

/**
 * Returns true if a value equals the correct value. In text, only letters and digits are compared.
 */
export function isSame(given: Value, expected: LeafValue, format: ParamFormat): boolean {
  if (given === null || expected === null) return given === expected;
  if (format === "number") return Math.abs(Number(given) - Number(expected)) < tolerance;
  return format === "text" ? textKey(given) === textKey(expected) : given === expected;
}

export const textKey = (value: Value): string =>
  String(value)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
