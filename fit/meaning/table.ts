/**
 * The table of vectors during training. Its values are 32-bit floats, because gradients change them
 * in small steps.
 */
import { dot } from "../../server/src/language/meaning.ts";
import { meaningDimensions as dimensions } from "../../server/src/language/meaning-features.ts";
import { packRows } from "../../server/src/language/packed-rows.ts";
import type { Features, Vocabulary } from "./vocabulary.ts";

/** Range of the random initial values. */
const initialRange = 0.2;
const initialSquare = Math.fround(1e-3);

export class MeaningTable {
  readonly #vocabulary: Vocabulary;
  readonly #values: Float32Array;
  /** Sum of the squared gradients of each row (Adagrad). */
  readonly #squares: Float32Array;
  readonly #features = new Map<string, Features>();

  constructor(vocabulary: Vocabulary, random: () => number) {
    this.#vocabulary = vocabulary;
    this.#values = new Float32Array(vocabulary.keys.length * dimensions);
    this.#squares = new Float32Array(vocabulary.keys.length).fill(initialSquare);
    for (let at = 0; at < this.#values.length; at++) this.#values[at] = (random() - 0.5) * initialRange;
  }

  /**
   * Writes the unit vector of a text to `into`. Returns the length that the vector had before it
   * was normalized.
   */
  embed(text: string, into: Float32Array): number {
    const { rows, weights } = this.#featuresOf(text);
    const values = this.#values;
    into.fill(0);
    for (let at = 0; at < rows.length; at++) {
      const weight = weights[at] as number;
      const from = (rows[at] as number) * dimensions;
      for (let d = 0; d < dimensions; d++) into[d] = (into[d] as number) + weight * (values[from + d] as number);
    }
    const length = Math.sqrt(dot(into, into)) + 1e-6;
    for (let d = 0; d < dimensions; d++) into[d] = (into[d] ?? 0) / length;
    return length;
  }

  /**
   * Takes a gradient descent step on the rows of a text.
   * @param gradient gradient with respect to the unit vector `vector`, which had the length
   * `length` before it was normalized
   */
  descend(text: string, gradient: Float32Array, vector: Float32Array, length: number, rate: number): void {
    const along = dot(gradient, vector);
    const own = gradient.map((value, d) => (value - along * (vector[d] ?? 0)) / length);
    const mean = dot(own, own) / dimensions;
    const { rows, weights } = this.#featuresOf(text);
    const values = this.#values;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      const weight = weights[at] as number;
      const square = (this.#squares[row] as number) + mean * weight * weight;
      this.#squares[row] = square;
      const step = (rate * weight) / Math.sqrt(square);
      const from = row * dimensions;
      for (let d = 0; d < dimensions; d++) values[from + d] = (values[from + d] as number) - step * (own[d] as number);
    }
  }

  /** Returns the table as a file for `PackedRows`, without rows that no training text has used. */
  toBytes(): Uint8Array {
    const rows = new Map<number, Float32Array>();
    for (const [row, key] of this.#vocabulary.keys.entries())
      if (this.#squares[row] !== initialSquare)
        rows.set(key, this.#values.subarray(row * dimensions, (row + 1) * dimensions));
    return packRows(rows, dimensions);
  }

  #featuresOf(text: string): Features {
    const known = this.#features.get(text) ?? this.#vocabulary.featuresOf(text);
    this.#features.set(text, known);
    return known;
  }
}
