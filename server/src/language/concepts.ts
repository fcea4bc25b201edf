/**
 * The concepts that documents state, such as the due date of an invoice, as a go-between of texts:
 * a question and a label without a common word may both be near the same concept. `concepts.bin`
 * has two vectors per concept, of its questions and of its labels; `npm run fit -- concepts` makes
 * it from the corpus in `fit/meaning/`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { meaningDimensions as dimensions } from "./meaning-features.ts";
import { type RowProducts, rowProducts } from "./row-products.ts";

/** Divides cosines. Of 0.03 to 0.15 the best on three held-out parts of the corpus, 2026-11. */
const temperature = 0.05;
/** Concepts of a question that are compared. With 16 as good as with all, 2026-11. */
const maxAsked = 16;
/** Smallest probability that counts. */
const negligible = 1e-6;

interface Prototypes {
  /** Cosines of a vector with the questions of each concept. */
  asks: RowProducts;
  /** The same with its labels. */
  labels: RowProducts;
}

let loaded: Prototypes | undefined;

function prototypes(): Prototypes {
  if (loaded === undefined) {
    const bytes = readFileSync(join(import.meta.dirname, "concepts.bin"));
    const all = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const half = all.length / 2;
    loaded = {
      asks: rowProducts(unitRows(all.subarray(0, half))),
      labels: rowProducts(unitRows(all.subarray(half))),
    };
  }
  return loaded;
}

function unitRows(values: Int8Array): Float32Array {
  const rows = Float32Array.from(values);
  for (let from = 0; from < rows.length; from += dimensions) {
    const row = rows.subarray(from, from + dimensions);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let d = 0; d < dimensions; d++) row[d] = (row[d] ?? 0) / length;
  }
  return rows;
}

/** The most probable concepts of a question. */
export interface AskedConcepts {
  indices: readonly number[];
  probabilities: readonly number[];
}

/** Concepts of questions by their vectors: the same fields are asked of many documents. */
const askedByVector = new WeakMap<Float32Array, AskedConcepts>();

/** @param vector of a question, as `meaningOf` returns it */
export function conceptsAskedBy(vector: Float32Array): AskedConcepts {
  const known = askedByVector.get(vector);
  if (known) return known;
  const all = probabilitiesOf(vector, prototypes().asks);
  const indices = greatestOf(all, maxAsked);
  const asked = { indices, probabilities: indices.map((index) => all[index] ?? 0) };
  askedByVector.set(vector, asked);
  return asked;
}

/** Returns the indices of the greatest values, greatest first; of equal values the first ones. */
export function greatestOf(values: Float32Array, count: number): number[] {
  const indices: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (indices.length >= count && value <= least) continue;
    let at = Math.min(indices.length, count - 1);
    for (; at > 0 && (values[indices[at - 1] as number] as number) < value; at--)
      indices[at] = indices[at - 1] as number;
    indices[at] = index;
    least = values[indices.at(-1) as number] as number;
  }
  return indices;
}

/**
 * Returns the probability of each concept.
 * @param vector of a label, as `meaningOf` returns it
 */
export const conceptsLabelledBy = (vector: Float32Array): Float32Array => probabilitiesOf(vector, prototypes().labels);

/** Returns 0 to 1: the logarithm of the probability that both are of the same concept, scaled. */
export function agreement(asked: AskedConcepts, labelled: Float32Array): number {
  const { indices, probabilities } = asked;
  let same = 0;
  for (let at = 0; at < indices.length; at++)
    same += (probabilities[at] as number) * (labelled[indices[at] as number] as number);
  return 1 - Math.log(same + negligible) / Math.log(negligible);
}

function probabilitiesOf(vector: Float32Array, cosinesWith: RowProducts): Float32Array {
  const cosines = cosinesWith(vector);
  const powers = new Float32Array(cosines.length);
  let total = 0;
  for (let row = 0; row < powers.length; row++) {
    const power = Math.exp(((cosines[row] as number) - 1) / temperature);
    powers[row] = power;
    total += power;
  }
  for (let row = 0; row < powers.length; row++) powers[row] = (powers[row] as number) / total;
  return powers;
}
