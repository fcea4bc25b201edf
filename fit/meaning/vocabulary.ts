/** Features that are frequent enough in the corpus to get a vector. */
import {
  featuresOfWord,
  gramFeatures,
  meaningWords,
  pairFeature,
  wordFeature,
} from "../../server/src/language/meaning-features.ts";
import { type Concept, languages } from "./corpus.ts";

/**
 * Minimum number of phrases that contain a word. A vector learned from fewer phrases is mostly
 * noise. This minimum and the next two were chosen so that all vectors together take less than
 * 8 MB, 2026-11.
 */
const minWord = 2;
/** Minimum number of words that contain an n-gram. */
const minGram = 6;
/** Minimum number of phrases that contain a pair of words. */
const minPair = 3;

/** Rows of the table with their weights. A row may occur several times. */
export interface Features {
  rows: Uint32Array;
  weights: Float32Array;
}

export class Vocabulary {
  /** Keys of the features, by row. */
  readonly keys: readonly number[];
  readonly #rows: ReadonlyMap<number, number>;

  constructor(concepts: readonly Concept[]) {
    const phrases = new Set(
      concepts.flatMap(({ labels, asks, sentences, values }) => [
        ...languages.flatMap((language) => [...labels[language], ...asks[language], ...(sentences[language] ?? [])]),
        ...values,
      ]),
    );
    const [words, pairs] = [new Counts(), new Counts()];
    const distinct = new Set<string>();
    for (const phrase of phrases) {
      const own = meaningWords(phrase);
      for (const word of own) distinct.add(word);
      words.add(own.map(wordFeature));
      pairs.add(pairsOf(own));
    }
    const grams = new Counts();
    for (const word of distinct) grams.add(gramFeatures(word));
    this.keys = [...words.atLeast(minWord), ...grams.atLeast(minGram), ...pairs.atLeast(minPair)];
    this.#rows = new Map(this.keys.map((key, row) => [key, row]));
  }

  featuresOf(text: string): Features {
    const rows: number[] = [];
    const weights: number[] = [];
    const add = (feature: number, weight: number): void => {
      const row = this.#rows.get(feature);
      if (row === undefined) return;
      rows.push(row);
      weights.push(weight);
    };
    const words = meaningWords(text);
    for (const { feature, weight } of words.flatMap(featuresOfWord)) add(feature, weight);
    for (const pair of pairsOf(words)) add(pair, 1);
    return { rows: Uint32Array.from(rows), weights: Float32Array.from(weights) };
  }
}

const pairsOf = (words: readonly string[]): number[] =>
  words.slice(1).map((word, at) => pairFeature(words[at] ?? "", word));

/** Counts in how many texts each feature occurs. */
class Counts {
  readonly #counts = new Map<number, number>();

  add(features: readonly number[]): void {
    for (const feature of new Set(features)) this.#counts.set(feature, (this.#counts.get(feature) ?? 0) + 1);
  }

  atLeast(min: number): number[] {
    return [...this.#counts].flatMap(([feature, count]) => (count >= min ? [feature] : []));
  }
}
