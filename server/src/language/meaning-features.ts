/**
 * Features for looking up the meaning of a short text: its words, and the letter n-grams of its
 * words. Each is hashed to a row of one table, which `npm run fit -- meaning` trains.
 */

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
    rows.push(rowOf(hashed(word, 0, word.length, ofWords)));
    weights.push(1);
    const marked = `<${word}>`;
    const first = rows.length;
    for (let length = minLetters; length <= maxLetters && length < marked.length; length++)
      for (let at = 0; at + length <= marked.length; at++) rows.push(rowOf(hashed(marked, at, at + length, ofGrams)));
    const grams = rows.length - first;
    for (let gram = 0; gram < grams; gram++) weights.push(1 / grams);
  }
  return { rows: Uint32Array.from(rows), weights: Float32Array.from(weights) };
}

/**
 * Returns the FNV-1a hash of the UTF-16 units `[from, to)` of the text. `before` is the hash of the
 * units before them.
 */
function hashed(text: string, from: number, to: number, before: number): number {
  let hash = before;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash;
}

const fnvBasis = 2_166_136_261;
/**
 * Start values of the hashes. They differ so that a word and an n-gram with the same letters have
 * different rows.
 */
const ofWords = hashed("word ", 0, 5, fnvBasis);
const ofGrams = hashed("gram ", 0, 5, fnvBasis);

/** Returns the row for a hash. The hash is mixed first, so that all its bits count. */
function rowOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % meaningRows;
}
