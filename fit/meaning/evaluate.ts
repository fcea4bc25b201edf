/** Measures how well vectors of texts find the printed label for a question. */
import { dot } from "../../server/src/language/meaning.ts";
import { type Concept, type Language, languages } from "./corpus.ts";

export interface Found {
  asks: number;
  /** Share (0–1) of the questions whose nearest label belongs to the same concept. */
  first: number;
  /** Mean reciprocal rank of the label that belongs to the same concept as the question. */
  reciprocalRank: number;
}

/**
 * Ranks labels for every question. The labels are one random label of each concept. Leaves out
 * other concepts that mean the same as the concept of the question.
 */
export function evaluate(
  vectorOf: (text: string) => Float32Array,
  concepts: readonly Concept[],
  [asked, printed]: readonly [Language, Language],
  random: () => number,
): Found {
  const labels = concepts.map(({ labels }) =>
    vectorOf(labels[printed][Math.floor(random() * labels[printed].length)] ?? ""),
  );
  const ranks = concepts.flatMap((concept, own) =>
    concept.asks[asked].map((ask) => {
      const vector = vectorOf(ask);
      const scores = labels.map((label) => dot(vector, label));
      return 1 + scores.filter((score, at) => score > (scores[own] ?? 0) && !isAlike(concept, concepts[at])).length;
    }),
  );
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    asks: ranks.length,
    first: mean(ranks.map((rank) => Number(rank === 1))),
    reciprocalRank: mean(ranks.map((rank) => 1 / rank)),
  };
}

const isAlike = (concept: Concept, other: Concept | undefined): boolean =>
  other !== undefined && concept.alike.has(other.index);

/** Pairs of languages to measure: English with each language, and each language with itself. */
export const measured: readonly (readonly [Language, Language])[] = [
  ...languages.map((language) => ["en", language] as const),
  ...languages.slice(1).map((language) => [language, language] as const),
];
