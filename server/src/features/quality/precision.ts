/** Finds the confidence above which values are correct often enough. */
import type { CoverageLevelJson } from "@sheaf/contract/coverage.ts";
import type { Precision } from "@sheaf/contract/precision.ts";

export interface JudgedValue {
  confidence: number;
  isRight: boolean;
}

/** Quantile of the normal distribution for a one-sided bound with 95 % certainty. */
const z = 1.6449;

/** Returns a lower bound for the share of correct values (Wilson 1927), with 95 % certainty. */
export function wilsonLowerBound(right: number, values: number): number {
  if (values === 0) return 0;
  const share = right / values;
  const spread = z * Math.sqrt((share * (1 - share)) / values + (z / (2 * values)) ** 2);
  // Clamped, so that a rounding error cannot push the bound above 1. `minimumValues` is the inverse
  // of this formula.
  return Math.max(0, Math.min(1, (share + z ** 2 / (2 * values) - spread) / (1 + z ** 2 / values)));
}

/**
 * Returns the smallest number of values for which `wilsonLowerBound` reaches the precision if all
 * of the values are correct.
 */
export const minimumValues = (precision: number): number => Math.ceil((z ** 2 * precision) / (1 - precision));

/**
 * Number of steps in which the confidence is lowered from 1 to 0. If there were more steps, many of
 * them would add only one value. Chosen by hand, 2026-11.
 */
const steps = 100;

/**
 * Returns the lowest confidence at which `wilsonLowerBound` still reaches the precision. Tries
 * confidences from 1 down to 0, and stops at the first one whose bound is too low. Because this
 * order is fixed in advance, trying several confidences does not reduce the certainty (Angelopoulos
 * et al. 2021, fixed sequence testing). The first test uses twice the minimum number of values, or
 * all values if there are fewer, so that a single wrong value does not end the search.
 */
export function levelOf(judged: readonly JudgedValue[], precision: Precision): CoverageLevelJson {
  const minimum = minimumValues(precision);
  const first = Math.max(minimum, Math.min(2 * minimum, judged.length));
  const sorted = [...judged].sort((one, other) => other.confidence - one.confidence);
  const none = { confidence: null, values: 0, right: 0, lower_bound: null, coverage: 0 };
  let best: Omit<CoverageLevelJson, "precision" | "minimum_values"> = none;
  let [values, right] = [0, 0];
  for (let tried = steps; tried >= 0; tried--) {
    const confidence = tried / steps;
    const before = values;
    for (let next = sorted[values]; next && next.confidence >= confidence; next = sorted[values]) {
      values++;
      if (next.isRight) right++;
    }
    if (values === before || values < first) continue;
    const bound = wilsonLowerBound(right, values);
    if (bound < precision) break;
    best = { confidence, values, right, lower_bound: bound, coverage: values / judged.length };
  }
  return { precision, minimum_values: minimum, ...best };
}
