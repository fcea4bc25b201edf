/**
 * The table of vectors during training. Its values are 32-bit floats, because gradients change them
 * in small steps.
 */
import { dot } from "../../server/src/language/meaning.ts";
import {
  meaningDimensions as dimensions,
  type MeaningFeatures,
  meaningFeatures,
  meaningRows,
} from "../../server/src/language/meaning-features.ts";

/** Range of the random initial values. */
const initialRange = 0.2;
const initialSquare = Math.fround(1e-3);

export class MeaningTable {
  readonly #values = new Float32Array(meaningRows * dimensions);
  /** Sum of the squared gradients of each row (Adagrad). */
  readonly #squares = new Float32Array(meaningRows).fill(initialSquare);
  readonly #features = new Map<string, MeaningFeatures>();

  constructor(random: () => number) {
    for (let at = 0; at < this.#values.length; at++) this.#values[at] = (random() - 0.5) * initialRange;
  }

  /**
   * Writes the unit vector of a text to `into`. Returns the length that the vector had before it
   * was normalized.
   */
  embed(text: string, into: Float32Array): number {
    const { rows, weights } = this.#featuresOf(text);
    into.fill(0);
    for (const [at, row] of rows.entries()) {
      const weight = weights[at] ?? 0;
      const from = row * dimensions;
      for (let d = 0; d < dimensions; d++) into[d] = (into[d] ?? 0) + weight * (this.#values[from + d] ?? 0);
    }
    const length = Math.sqrt(dot(into, into)) + 1e-6;
    for (let d = 0; d < dimensions; d++) into[d] = (into[d] ?? 0) / length;
    return length;
  }

  /**
   * Moves the rows of a text against a gradient.
   * @param gradient gradient with respect to the unit vector `vector`, which had the length
   * `length` before it was normalized
   */
  descend(text: string, gradient: Float32Array, vector: Float32Array, length: number, rate: number): void {
    const along = dot(gradient, vector);
    const own = gradient.map((value, d) => (value - along * (vector[d] ?? 0)) / length);
    const mean = dot(own, own) / dimensions;
    const { rows, weights } = this.#featuresOf(text);
    for (const [at, row] of rows.entries()) {
      const weight = weights[at] ?? 0;
      const square = (this.#squares[row] ?? 0) + mean * weight * weight;
      this.#squares[row] = square;
      const step = (rate * weight) / Math.sqrt(square);
      const from = row * dimensions;
      for (let d = 0; d < dimensions; d++)
        this.#values[from + d] = (this.#values[from + d] ?? 0) - step * (own[d] ?? 0);
    }
  }

  /**
   * Returns the table in the format of `server/src/language/meaning.ts`: the values of all rows as
   * signed bytes, then the scale of each row as a little-endian float. Rows that no text has used
   * are zero.
   */
  toBytes(): Uint8Array {
    const bytes = new Uint8Array(meaningRows * (dimensions + 4));
    const values = new Int8Array(bytes.buffer, 0, meaningRows * dimensions);
    const scales = new DataView(bytes.buffer, values.length);
    for (let row = 0; row < meaningRows; row++) {
      if (this.#squares[row] === initialSquare) continue;
      const own = this.#values.subarray(row * dimensions, (row + 1) * dimensions);
      const scale = own.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
      scales.setFloat32(row * 4, scale, true);
      for (const [d, value] of own.entries()) values[row * dimensions + d] = Math.round(value / scale);
    }
    return bytes;
  }

  #featuresOf(text: string): MeaningFeatures {
    const known = this.#features.get(text) ?? meaningFeatures(text);
    this.#features.set(text, known);
    return known;
  }
}
