/**
 * A table of vectors that is read from a file and stays packed in memory: three bits per value, and
 * a factor for each row. With four bits per value, the mean reciprocal rank of the meaning vectors
 * would be at most 0.003 better (decision 0086).
 *
 * Format, little-endian: the number of rows (32 bits), the keys of the rows in ascending order (32
 * bits each), the factors (32-bit floats), and the values. Every three bytes hold eight values, the
 * first in the lowest bits. A value is an integer from -3 to 3, stored plus 3.
 */

const bits = 3;
const maxValue = 3;
/** Number of values that are packed into one group of `groupBytes` bytes. */
const groupValues = 8;
const groupBytes = 3;

export class PackedRows {
  readonly #dimensions: number;
  readonly #keys: Uint32Array;
  readonly #factors: Float32Array;
  readonly #values: Uint8Array;

  /** @param dimensions number of values in a row; a multiple of 8 */
  constructor(file: Uint8Array, dimensions: number) {
    // Copies the file, because typed arrays need an aligned start.
    const bytes = new Uint8Array(file);
    const count = new Uint32Array(bytes.buffer, 0, 1)[0] ?? 0;
    this.#dimensions = dimensions;
    this.#keys = new Uint32Array(bytes.buffer, 4, count);
    this.#factors = new Float32Array(bytes.buffer, 4 + 4 * count, count);
    this.#values = bytes.subarray(4 + 8 * count);
  }

  /**
   * Adds the row with the given key to the vector `into`, multiplied by `weight`. Does nothing if
   * there is no such row.
   */
  add(key: number, weight: number, into: Float32Array): void {
    const row = this.#rowOf(key);
    if (row < 0) return;
    const factor = weight * (this.#factors[row] as number);
    let byte = row * rowBytes(this.#dimensions);
    for (let first = 0; first < this.#dimensions; first += groupValues, byte += groupBytes) {
      let group = readGroup(this.#values, byte);
      for (let d = first; d < first + groupValues; d++, group >>= bits)
        into[d] = (into[d] as number) + factor * ((group & 7) - maxValue);
    }
  }

  /** Returns the index of the row with the key, or -1. */
  #rowOf(key: number): number {
    let [from, to] = [0, this.#keys.length - 1];
    while (from <= to) {
      const at = (from + to) >> 1;
      const found = this.#keys[at] as number;
      if (found === key) return at;
      if (found < key) from = at + 1;
      else to = at - 1;
    }
    return -1;
  }
}

const rowBytes = (dimensions: number): number => (dimensions / groupValues) * groupBytes;

const readGroup = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);

/**
 * Packs rows into the format of the file.
 * @param rows rows by their keys (unsigned 32-bit integers), each with `dimensions` values
 */
export function packRows(rows: ReadonlyMap<number, Float32Array>, dimensions: number): Uint8Array {
  const sorted = [...rows].sort(([a], [b]) => a - b);
  const factors = sorted.map(([, row]) => bestFactor(row));
  const values = new Uint8Array(sorted.length * rowBytes(dimensions));
  let byte = 0;
  for (const [at, [, row]] of sorted.entries())
    for (let first = 0; first < dimensions; first += groupValues) {
      const group = row.subarray(first, first + groupValues);
      const packed = group.reduce((all, value, d) => all | ((nearest(value, factors[at]) + maxValue) << (d * bits)), 0);
      for (let part = 0; part < groupBytes; part++) values[byte++] = packed >> (8 * part);
    }
  return Buffer.concat([
    new Uint8Array(Uint32Array.of(sorted.length).buffer),
    new Uint8Array(Uint32Array.from(sorted, ([key]) => key).buffer),
    new Uint8Array(Float32Array.from(factors).buffer),
    values,
  ]);
}

/**
 * Candidate clipping thresholds, as shares of the greatest absolute value of a row. Values above
 * the threshold are clipped, so that the steps between the other values are smaller.
 */
const shares = [1, 0.9, 0.8, 0.7, 0.6, 0.5];

/**
 * Lower bound for the greatest absolute value of a row. It keeps the factor of a row of zeros from
 * being 0. Chosen by hand, 2026-11.
 */
const almostZero = 1e-9;

/**
 * Returns the factor with which the packed values of a row have the smallest squared error. Only
 * the factors that follow from `shares` are tried.
 */
function bestFactor(row: Float32Array): number {
  const greatest = row.reduce((most, value) => Math.max(most, Math.abs(value)), almostZero);
  const errorOf = (factor: number): number =>
    row.reduce((sum, value) => sum + (value - factor * nearest(value, factor)) ** 2, 0);
  const factors = shares.map((share) => (greatest * share) / maxValue);
  return factors.reduce((best, factor) => (errorOf(factor) < errorOf(best) ? factor : best));
}

/** Returns the integer from -3 to 3 that, multiplied by `factor`, is nearest to a value. */
const nearest = (value: number, factor = 1): number =>
  Math.max(-maxValue, Math.min(maxValue, Math.round(value / factor)));
