/**
 * Features for looking up the meaning of a short text: its words, and the letter n-grams of its
 * words. Each is hashed to a row of one table, which `npm run fit -- meaning` trains.
 */

import { fnvBasis, hashed, rowOfHash } from "./feature-hash.ts";
import { foldLabel } from "./folding.ts";
import { spellOut } from "./label-tokens.ts";

/**
 * Number of rows of the table. With one byte for each dimension and one scale for each row, the
 * table takes just under 8 MB.
 */
export const meaningRows = 60_416;
export const meaningDimensions = 128;

/**
 * Minimum and maximum length of a letter n-gram. A word gets a mark at both ends before it is
 * split.
 */
const minLetters = 3;
const maxLetters = 5;
/** Only this many UTF-16 units of a text are read. */
const maxLength = 400;

/** Rows of the table with their weights. A row may occur several times. */
export interface MeaningFeatures {
  rows: Uint32Array;
  weights: Float32Array;
}

/**
 * Returns the words of a text. Every word with a digit becomes the same placeholder for a number.
 */
export const meaningWords = (text: string): string[] =>
  Array.from(foldLabel(spellOut(text.slice(0, maxLength))).matchAll(/[\p{L}\d]+|[%#€$£]/gu), ([word]) =>
    /\d/.test(word) ? "0" : word,
  );

export const meaningFeatures = (text: string): MeaningFeatures => featuresOfWords(meaningWords(text));

/** Returns the features of words. A word has the same weight as all its n-grams together. */
export function featuresOfWords(words: readonly string[]): MeaningFeatures {
  const rows: number[] = [];
  const weights: number[] = [];
  for (const word of words) {
    rows.push(rowOf(hashed(word, ofWords)));
    weights.push(1);
    const marked = `<${word}>`;
    const first = rows.length;
    for (let length = minLetters; length <= maxLetters && length < marked.length; length++)
      for (let at = 0; at + length <= marked.length; at++) rows.push(rowOf(hashed(marked, ofGrams, at, at + length)));
    const grams = rows.length - first;
    for (let gram = 0; gram < grams; gram++) weights.push(1 / grams);
  }
  return { rows: Uint32Array.from(rows), weights: Float32Array.from(weights) };
}

/**
 * Start values of the hashes. They differ so that a word and an n-gram with the same letters have
 * different rows.
 */
const ofWords = hashed("word ", fnvBasis);
const ofGrams = hashed("gram ", fnvBasis);

const rowOf = (hash: number): number => rowOfHash(hash, meaningRows);
