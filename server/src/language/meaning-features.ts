/**
 * The features by which the meaning of a short text is looked up: its words and their letter
 * n-grams, hashed into the rows of one table. `npm run fit -- meaning` trains the table.
 */

import { foldLabel } from "./folding.ts";
import { spellOut } from "./label-tokens.ts";

/** Rows of the table. With one byte per dimension and a scale each they take just under 8 MB. */
export const meaningRows = 60_416;
export const meaningDimensions = 128;

/** Lengths of the letter n-grams, with a mark at both ends of the word. */
const minLetters = 3;
const maxLetters = 5;
/** Characters of a text that are read, in UTF-16 units. */
const maxLength = 400;

/** Rows of the table with their weights; a row may occur several times. */
export interface MeaningFeatures {
  rows: Uint32Array;
  weights: Float32Array;
}

/** Returns the words of a text. Words with digits count as one number. */
export const meaningWords = (text: string): string[] =>
  Array.from(foldLabel(spellOut(text.slice(0, maxLength))).matchAll(/[\p{L}\d]+|[%#€$£]/gu), ([word]) =>
    /\d/.test(word) ? "0" : word,
  );

export const meaningFeatures = (text: string): MeaningFeatures => featuresOfWords(meaningWords(text));

/** A word counts as much as all its n-grams together. */
export function featuresOfWords(words: readonly string[]): MeaningFeatures {
  const rows: number[] = [];
  const weights: number[] = [];
  for (const word of words) {
    rows.push(rowOf(`word ${word}`));
    weights.push(1);
    const grams = gramsOf(`<${word}>`);
    for (const gram of grams) {
      rows.push(rowOf(`gram ${gram}`));
      weights.push(1 / grams.length);
    }
  }
  return { rows: Uint32Array.from(rows), weights: Float32Array.from(weights) };
}

function gramsOf(marked: string): string[] {
  const grams: string[] = [];
  for (let length = minLetters; length <= maxLetters && length < marked.length; length++)
    for (let at = 0; at + length <= marked.length; at++) grams.push(marked.slice(at, at + length));
  return grams;
}

/** FNV-1a over UTF-16 units, with its last bits mixed. */
function rowOf(feature: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((hash ^ (hash >>> 13)) >>> 0) % meaningRows;
}
