/**
 * Fits the weights of a choice between several options. Choosing none of the options is also
 * possible, and has the logit 0.
 */
import { logitOf } from "../server/src/engine/extract/lists/logit.ts";

export interface Choice {
  options: readonly (readonly number[])[];
  /** Indexes of the correct options; empty if no option is correct. */
  right: readonly number[];
}

const steps = 3_000;
const rate = 0.5;

/**
 * Sign that a weight may have. Signs are constrained because, with few examples, a fit gives wrong
 * signs to features that occur together.
 */
export type Sign = "positive" | "negative" | "any";

/**
 * Fits weights by gradient descent (Adagrad), subject to their signs.
 * @param signs allowed sign of each weight, one per feature
 * @param decay weight of the squared distance from `prior`
 * @param prior weights that a fit without examples would return
 * @returns the weights, rounded to two decimals as they are written to files
 */
export function fitChoices(
  choices: readonly Choice[],
  signs: readonly Sign[],
  decay: number,
  prior: readonly number[] = signs.map(() => 0),
): number[] {
  const weights = [...prior];
  const moments = weights.map(() => 1e-8);
  for (let step = 0; step < steps; step++) {
    const slope = weights.map((weight, feature) => decay * (weight - (prior[feature] ?? 0)));
    for (const { options, right } of choices) {
      const logits = options.map((row) => logitOf(row, weights));
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
  return weights.map((weight) => Number(weight.toFixed(2)));
}

function withSign(weight: number, sign: Sign | undefined): number {
  if (sign === "positive") return Math.max(0, weight);
  return sign === "negative" ? Math.min(0, weight) : weight;
}

function powersOf(logits: readonly number[]): { all: number[]; none: number } {
  const highest = Math.max(0, ...logits);
  return { all: logits.map((logit) => Math.exp(logit - highest)), none: Math.exp(-highest) };
}
