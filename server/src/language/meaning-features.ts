/**
 * Computes the features by which the meaning of a short text is looked up: its words, the letter
 * n-grams of its words, and its pairs of adjacent words. Each feature is a hash. `npm run fit --
 * meaning` trains a vector for each feature that is frequent enough in the corpus.
 */

import { fnvBasis, hashed } from "./feature-hash.ts";
import { foldLabel } from "./folding.ts";
import { spellOut } from "./label-tokens.ts";

export const meaningDimensions = 128;

/** Minimum length of a letter n-gram. The markers `<` and `>` at the ends of a word count too. */
const minLetters = 3;
/** Maximum length of a letter n-gram. The markers `<` and `>` at the ends of a word count too. */
const maxLetters = 5;
/** Only this many UTF-16 units of a text are read. */
const maxLength = 400;

/**
 * Returns the words of a text. Every word with a digit becomes the same placeholder for a number.
 */
export const meaningWords = (text: string): string[] =>
  Array.from(foldLabel(spellOut(text.slice(0, maxLength))).matchAll(/[\p{L}\d]+|[%#€$£]/gu), ([word]) =>
    /\d/.test(word) ? "0" : word,
  );

/** Returns the feature of a whole word. This feature has the weight 1. */
export const wordFeature = (word: string): number => hashed(word, ofWords) >>> 0;

/**
 * Returns the features of the letter n-grams of a word. The list may contain duplicates. All
 * features have the same weight, and the weights add up to 1.
 */
export function gramFeatures(word: string): number[] {
  const marked = `<${word}>`;
  const features: number[] = [];
  for (let length = minLetters; length <= maxLetters && length < marked.length; length++)
    for (let at = 0; at + length <= marked.length; at++) features.push(hashed(marked, ofGrams, at, at + length) >>> 0);
  return features;
}

/** Returns the feature of a pair of adjacent words. This feature has the weight 1. */
export const pairFeature = (first: string, second: string): number =>
  hashed(second, hashed(" ", hashed(first, ofPairs))) >>> 0;

/** A feature with its weight. */
export interface WeightedFeature {
  feature: number;
  weight: number;
}

/** Returns the features of a word: the word as a whole, and its n-grams. */
export function featuresOfWord(word: string): WeightedFeature[] {
  const grams = gramFeatures(word);
  return [
    { feature: wordFeature(word), weight: 1 },
    ...grams.map((feature) => ({ feature, weight: 1 / grams.length })),
  ];
}

/**
 * Start values of the hashes, one per type of feature. So a word and an equal n-gram, for example,
 * have different hashes.
 */
const ofWords = hashed("word ", fnvBasis);
const ofGrams = hashed("gram ", fnvBasis);
const ofPairs = hashed("pair ", fnvBasis);
