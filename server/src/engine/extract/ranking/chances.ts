/** Turns the logits of a field's values into the probabilities that they are right. */
import type { LeafValue } from "../../engine.ts";

/**
 * Returns the probability of each value, 0 to 1: a softmax over all and none of them, whose logit
 * is 0. A value that is found several times has the sum of all; of its finds, the likeliest has
 * that sum and the others as much less as they are less likely.
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
