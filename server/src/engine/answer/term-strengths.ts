/** Weighs the terms of a question, and computes the share of them that a text contains. */
import type { QuestionTerm } from "./analyze-question.ts";
import { termFactors } from "./answer-weights.ts";
import type { FoundTerms } from "./match-terms.ts";

/** Strength of the best match of each term, by index of the term. */
export type Strengths = ReadonlyMap<number, number>;

/** Returns the strength of the best match of each question term. */
export function strongest(found: readonly FoundTerms[]): Map<number, number> {
  const strengths = new Map<number, number>();
  for (const { term, strength } of found) if (strength > (strengths.get(term) ?? 0)) strengths.set(term, strength);
  return strengths;
}

/** Raises each strength in `strengths` to the strength in `others`, if the latter is greater. */
export function raiseTo(strengths: Map<number, number>, others: Strengths): void {
  for (const [term, strength] of others) if (strength > (strengths.get(term) ?? 0)) strengths.set(term, strength);
}

/**
 * Returns the weight of each question term: its inverse frequency. Names, numbers and codes weigh
 * more, and the noun that names the answer type weighs less.
 * @param counts sum of the strengths of each term over all places, such as units or rows
 */
export const termWeights = (terms: readonly QuestionTerm[], counts: readonly number[], places: number): number[] =>
  terms.map(({ exact, focus }, term) => {
    const idf = Math.log(1 + (places + 1) / ((counts[term] ?? 0) + termFactors.smoothing));
    return idf * (exact ? termFactors.exact : 1) * (focus ? termFactors.focus : 1);
  });

/** Returns the weight of the matched terms as a share (0 to 1) of the weight of all terms. */
export function heldShare(held: Strengths, weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let sum = 0;
  for (const [term, strength] of held) sum += strength * (weights[term] ?? 0);
  return sum / total;
}
