/** Converts logits to probabilities: how likely each value of a field is to be correct. */
import type { LeafValue } from "../../engine.ts";

/**
 * Returns the probability of each value, 0 to 1. It is a softmax over all values and "no value",
 * which has the logit 0. If a value occurs several times, its most likely occurrence gets the sum
 * of the probabilities of all occurrences. The sum is scaled down for every other occurrence, in
 * proportion to its own probability.
 */
export function chancesOf(values: readonly LeafValue[], logits: readonly number[]): number[] {
  const powers = logits.map((logit) => Math.exp(logit));
  const total = powers.reduce((sum, power) => sum + power, 1);
  const finds = new Map<string, { sum: number; greatest: number }>();
  for (const [at, value] of values.entries()) {
    const power = powers[at] ?? 0;
    const { sum, greatest } = finds.get(keyOf(value)) ?? { sum: 0, greatest: 0 };
    finds.set(keyOf(value), { sum: sum + power, greatest: Math.max(greatest, power) });
  }
  return values.map((value, at) => {
    const { sum, greatest } = finds.get(keyOf(value)) ?? { sum: 0, greatest: 1 };
    return ((powers[at] ?? 0) / greatest) * (sum / total);
  });
}

const keyOf = (value: LeafValue): string => String(value).toLowerCase();
