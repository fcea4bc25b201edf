/**
 * Vectors for the meaning of short texts. A label in a document and a person's words for the same
 * thing have similar vectors, even in different languages. `meaning.bin` contains vectors of words,
 * of letter n-grams, and of pairs of words. `npm run fit -- meaning` computes them from the corpus
 * in `fit/meaning/`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cachedByText } from "./cached-by-text.ts";
import { meaningDimensions as dimensions, featuresOfWord, meaningWords, pairFeature } from "./meaning-features.ts";
import { PackedRows } from "./packed-rows.ts";

/**
 * Maximum number of vectors in each of the caches: of texts, of normalized texts, and of words.
 * Each vector takes 0.5 KB.
 */
const maxKnown = 10_000;

let loaded: PackedRows | undefined;

/**
 * Returns the vectors of the features. The file (8 MB) is read when the first text is looked up, so
 * that it does not delay start-up.
 */
function table(): PackedRows {
  loaded ??= new PackedRows(readFileSync(join(import.meta.dirname, "meaning.bin")), dimensions);
  return loaded;
}

/** Returns the unit vector of a text, or undefined if no word of the text has a letter. */
export const meaningOf = cachedByText(maxKnown, (text) =>
  /\p{L}/u.test(text) ? vectorOf(meaningWords(text).join(" ")) : undefined,
);

/**
 * Returns the unit vector of a text, given as normalized words. Equal words yield the same object,
 * so that results of comparisons can be cached by vector.
 */
const vectorOf = cachedByText(maxKnown, (words): Float32Array | undefined => {
  if (words === "") return undefined;
  const vector = new Float32Array(dimensions);
  let before: string | undefined;
  for (const word of words.split(" ")) {
    const own = vectorOfWord(word);
    for (let d = 0; d < dimensions; d++) vector[d] = (vector[d] as number) + (own[d] as number);
    if (before !== undefined) table().add(pairFeature(before, word), 1, vector);
    before = word;
  }
  const length = Math.sqrt(dot(vector, vector));
  if (length === 0) return undefined;
  for (let d = 0; d < dimensions; d++) vector[d] = (vector[d] as number) / length;
  return vector;
});

/**
 * Returns the weighted sum of the feature vectors of a word. Sums are cached, because words recur
 * in a document.
 */
const vectorOfWord = cachedByText(maxKnown, (word): Float32Array => {
  const vector = new Float32Array(dimensions);
  for (const { feature, weight } of featuresOfWord(word)) table().add(feature, weight, vector);
  return vector;
});

/** Returns the scalar product of two vectors. For unit vectors this is their cosine, -1 to 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < dimensions; d++) sum += (a[d] as number) * (b[d] as number);
  return sum;
}

/**
 * Returns the greater of two cosines, 0 to 1: that of `own` and `first`, and that of `own` and
 * `second`. All three must be unit vectors. One loop computes both scalar products, which takes
 * little longer than computing one of them. The results equal those of `dot`.
 */
export function greatestCosine(
  own: Float32Array,
  first: Float32Array | undefined,
  second: Float32Array | undefined,
): number {
  if (!first || !second) {
    const only = first ?? second;
    return only ? Math.max(0, dot(only, own)) : 0;
  }
  let [a, b] = [0, 0];
  for (let d = 0; d < dimensions; d++) {
    const value = own[d] as number;
    a += (first[d] as number) * value;
    b += (second[d] as number) * value;
  }
  return Math.max(0, a, b);
}

/**
 * Returns the greatest cosine between a text and any of the unit vectors, 0 to 1. Returns 0 if the
 * text has no word.
 */
export function similarity(text: string, vectors: readonly (Float32Array | undefined)[]): number {
  const own = meaningOf(text);
  let greatest = 0;
  if (own) for (const vector of vectors) if (vector) greatest = Math.max(greatest, dot(vector, own));
  return greatest;
}
