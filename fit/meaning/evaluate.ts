/** Measures how well a table finds the printed label of a question. */
import { dot } from "../../server/src/language/meaning.ts";
import { meaningDimensions as dimensions } from "../../server/src/language/meaning-features.ts";
import { type Concept, type Language, languages } from "./corpus.ts";
import type { MeaningTable } from "./table.ts";

export interface Found {
  asks: number;
  /** Share of the questions for which their own label is the nearest. */
  first: number;
  /** Mean reciprocal rank of the question's own label. */
  reciprocalRank: number;
}

/**
 * Ranks one random label of each concept for every question. Labels of concepts with the same
 * meaning are left out.
 */
export function evaluate(
  table: MeaningTable,
  concepts: readonly Concept[],
  [asked, printed]: readonly [Language, Language],
  random: () => number,
): Found {
  const vectorOf = (text: string): Float32Array => {
    const vector = new Float32Array(dimensions);
    table.embed(text, vector);
    return vector;
  };
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

/**
 * Pairs of languages that are measured: English with each language, and each language with itself.
 */
export const measured: readonly (readonly [Language, Language])[] = [
  ...languages.map((language) => ["en", language] as const),
  ...languages.slice(1).map((language) => [language, language] as const),
];
