/**
 * The concepts that documents state, such as the due date of an invoice, as a go-between of texts:
 * a question and a label without a common word may both be near the same concept. `concepts.bin`
 * has two vectors per concept, of its questions and of its labels; `npm run fit -- concepts` makes
 * it from the corpus in `fit/meaning/`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { meaningDimensions as dimensions } from "./meaning-features.ts";

/** Divides cosines. Of 0.03 to 0.15 the best on three held-out parts of the corpus, 2026-11. */
const temperature = 0.05;
/** Concepts of a question that are compared. With 16 as good as with all, 2026-11. */
const maxAsked = 16;
/** Smallest probability that counts. */
const negligible = 1e-6;

interface Prototypes {
  asks: Float32Array;
  labels: Float32Array;
}

let loaded: Prototypes | undefined;

function prototypes(): Prototypes {
  if (loaded === undefined) {
    const bytes = readFileSync(join(import.meta.dirname, "concepts.bin"));
    const all = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const half = all.length / 2;
    loaded = { asks: unitRows(all.subarray(0, half)), labels: unitRows(all.subarray(half)) };
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

/** @param vector of a question, as `meaningOf` returns it */
export function conceptsAskedBy(vector: Float32Array): AskedConcepts {
  const all = probabilitiesOf(vector, prototypes().asks);
  const indices = Array.from(all.keys())
    .sort((a, b) => (all[b] ?? 0) - (all[a] ?? 0))
    .slice(0, maxAsked);
  return { indices, probabilities: indices.map((index) => all[index] ?? 0) };
}

/**
 * Returns the probability of each concept.
 * @param vector of a label, as `meaningOf` returns it
 */
export const conceptsLabelledBy = (vector: Float32Array): Float32Array => probabilitiesOf(vector, prototypes().labels);

/** Returns 0 to 1: the logarithm of the probability that both are of the same concept, scaled. */
export function agreement(asked: AskedConcepts, labelled: Float32Array): number {
  const { indices, probabilities } = asked;
  const same = indices.reduce((sum, index, at) => sum + (probabilities[at] ?? 0) * (labelled[index] ?? 0), 0);
  return 1 - Math.log(same + negligible) / Math.log(negligible);
}

function probabilitiesOf(vector: Float32Array, rows: Float32Array): Float32Array {
  const powers = new Float32Array(rows.length / dimensions);
  let total = 0;
  for (let row = 0; row < powers.length; row++) {
    const power = Math.exp((cosine(vector, rows, row * dimensions) - 1) / temperature);
    powers[row] = power;
    total += power;
  }
  for (let row = 0; row < powers.length; row++) powers[row] = (powers[row] ?? 0) / total;
  return powers;
}

/** Sums in four parts, which is a third faster: it runs 1,420 times per label. */
function cosine(vector: Float32Array, rows: Float32Array, from: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = 0; at < dimensions; at += 4) {
    a += (vector[at] as number) * (rows[from + at] as number);
    b += (vector[at + 1] as number) * (rows[from + at + 1] as number);
    c += (vector[at + 2] as number) * (rows[from + at + 2] as number);
    d += (vector[at + 3] as number) * (rows[from + at + 3] as number);
  }
  return a + b + c + d;
}
