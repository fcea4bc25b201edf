/** Fits the weights of a choice: one of several options, or none, whose logit is 0. */

export interface Choice {
  options: readonly (readonly number[])[];
  /** Indexes of the right options; empty if none is. */
  right: readonly number[];
}

const steps = 3_000;
const rate = 0.5;

export const dot = (weights: readonly number[], row: readonly number[]): number =>
  row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);

/**
 * What a weight may be: evidence for an option, against it, or either. Few examples would else give
 * weights of the wrong sign to features that occur together.
 */
export type Sign = "for" | "against" | "either";

/**
 * Fits by gradient descent (Adagrad), projected to the signs.
 * @param signs of the weights, one per feature
 * @param decay weight of the squares of the weights
 */
export function fitChoices(choices: readonly Choice[], signs: readonly Sign[], decay: number): number[] {
  const weights = signs.map(() => 0);
  const moments = weights.map(() => 1e-8);
  for (let step = 0; step < steps; step++) {
    const slope = weights.map((weight) => decay * weight);
    for (const { options, right } of choices) {
      const logits = options.map((row) => dot(weights, row));
      const powers = powersOf(logits);
      const total = powers.all.reduce((sum, power) => sum + power, powers.none);
      const rights = right.length === 0 ? powers.none : right.reduce((sum, at) => sum + (powers.all[at] ?? 0), 0);
      for (const [at, row] of options.entries()) {
        const target = right.includes(at) ? (powers.all[at] ?? 0) / rights : 0;
        const error = ((powers.all[at] ?? 0) / total - target) / choices.length;
        for (const [feature, value] of row.entries()) slope[feature] = (slope[feature] ?? 0) + error * value;
      }
    }
    for (const [feature, own] of slope.entries()) {
      moments[feature] = (moments[feature] ?? 0) + own * own;
      const moved = (weights[feature] ?? 0) - (rate * own) / Math.sqrt(moments[feature] ?? 1);
      weights[feature] = withSign(moved, signs[feature]);
    }
  }
  return weights;
}

function withSign(weight: number, sign: Sign | undefined): number {
  if (sign === "for") return Math.max(0, weight);
  return sign === "against" ? Math.min(0, weight) : weight;
}

function powersOf(logits: readonly number[]): { all: number[]; none: number } {
  const highest = Math.max(0, ...logits);
  return { all: logits.map((logit) => Math.exp(logit - highest)), none: Math.exp(-highest) };
}
