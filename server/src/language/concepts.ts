/**
 * Concepts are the kinds of facts that documents state, such as the due date of an invoice. A
 * question and a label that have no word in common match if both are close to the same concept.
 * `concepts.bin` contains two vectors for each concept, one for its questions and one for its
 * labels. `npm run fit -- concepts` computes them from the corpus in `fit/meaning/`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { meaningDimensions as dimensions } from "./meaning-features.ts";
import { type RowProducts, rowProducts } from "./row-products.ts";

/**
 * Temperature of the softmax: cosines are divided by this number. Of the values from 0.03 to 0.15,
 * this value gave the best results on three held-out parts of the corpus, 2026-11.
 */
const temperature = 0.05;
/**
 * A label is compared only with this many concepts of a question, the most probable ones. The
 * results are as good as when all concepts are compared, 2026-11.
 */
const maxAsked = 16;
/** Probabilities below this make no difference to the result. */
const negligible = 1e-6;

/** The question vectors of all concepts, or the label vectors of all concepts. */
interface Vectors {
  products: RowProducts;
  /** One factor per row. A row multiplied by its factor is a unit vector. */
  scales: Float64Array;
}

interface Prototypes {
  asks: Vectors;
  labels: Vectors;
}

let loaded: Prototypes | undefined;

function prototypes(): Prototypes {
  if (loaded === undefined) {
    const bytes = readFileSync(join(import.meta.dirname, "concepts.bin"));
    const all = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const half = all.length / 2;
    loaded = { asks: vectorsOf(all.subarray(0, half)), labels: vectorsOf(all.subarray(half)) };
  }
  return loaded;
}

function vectorsOf(rows: Int8Array): Vectors {
  const scales = new Float64Array(rows.length / dimensions);
  for (let row = 0; row < scales.length; row++) {
    const values = rows.subarray(row * dimensions, (row + 1) * dimensions);
    scales[row] = 1 / (Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) || 1);
  }
  return { products: rowProducts(rows), scales };
}

/** The most probable concepts of a question, with their probabilities. */
export interface AskedConcepts {
  indices: readonly number[];
  probabilities: readonly number[];
}

/**
 * Caches the concepts that a field asks for, by the vector of the field. The same fields are
 * extracted from many documents, so the same vectors recur.
 */
const askedByVector = new WeakMap<Float32Array, AskedConcepts>();

/** @param vector meaning of a question, as `meaningOf` returns it */
export function conceptsAskedBy(vector: Float32Array): AskedConcepts {
  const known = askedByVector.get(vector);
  if (known) return known;
  const all = probabilitiesOf(vector, prototypes().asks);
  const indices = greatestOf(all, maxAsked);
  const asked = { indices, probabilities: indices.map((index) => all[index] ?? 0) };
  askedByVector.set(vector, asked);
  return asked;
}

/**
 * Returns the indices of the `count` greatest values, the greatest first. Ties are broken by the
 * lower index.
 */
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
 * Returns the probability of each concept for a label.
 * @param vector meaning of the label, as `meaningOf` returns it
 */
export const conceptsLabelledBy = (vector: Float32Array): Float32Array => probabilitiesOf(vector, prototypes().labels);

/**
 * Returns how well a question and a label agree, 0 to 1. This is the logarithm of the probability
 * that both mean the same concept, scaled to this range.
 */
export function agreement(asked: AskedConcepts, labelled: Float32Array): number {
  const { indices, probabilities } = asked;
  let same = 0;
  for (let at = 0; at < indices.length; at++)
    same += (probabilities[at] as number) * (labelled[indices[at] as number] as number);
  return 1 - Math.log(same + negligible) / Math.log(negligible);
}

/**
 * Greatest absolute value of an entry after scaling. Vectors are scaled before their entries are
 * rounded to 16-bit integers.
 */
const maxEntry = 32_767;
const rounded = new Int16Array(dimensions);

/**
 * Returns the probability of each concept. Because the entries of the vector are rounded, the
 * cosines have an error below 0.0005.
 */
function probabilitiesOf(vector: Float32Array, { products, scales }: Vectors): Float32Array {
  let greatest = 0;
  for (let d = 0; d < dimensions; d++) greatest = Math.max(greatest, Math.abs(vector[d] as number));
  const scale = greatest / maxEntry;
  for (let d = 0; d < dimensions; d++) rounded[d] = Math.round((vector[d] as number) / scale);
  const sums = products(rounded);
  const powers = new Float32Array(sums.length);
  let total = 0;
  for (let row = 0; row < powers.length; row++) {
    const cosine = (sums[row] as number) * scale * (scales[row] as number);
    const power = powerOf((1 - cosine) / temperature);
    powers[row] = power;
    total += power;
  }
  for (let row = 0; row < powers.length; row++) powers[row] = (powers[row] as number) / total;
  return powers;
}

const stepsPerUnit = 32;
/**
 * Table of e to the power of `-x`, for `x` from 0 in steps of 1 / `stepsPerUnit`. The greatest `x`
 * that is needed is that for a cosine of -1.
 */
const powersOfSteps = Float64Array.from({ length: (2 * stepsPerUnit) / temperature + 2 }, (_, step) =>
  Math.exp(-step / stepsPerUnit),
);

/** Returns e to the power of `-exponent`, with an error below 0.001 %. */
function powerOf(exponent: number): number {
  const steps = Math.max(0, exponent) * stepsPerUnit;
  const step = steps | 0;
  const rest = (steps - step) / stepsPerUnit;
  return (powersOfSteps[step] as number) * (1 - rest + 0.5 * rest * rest);
}
