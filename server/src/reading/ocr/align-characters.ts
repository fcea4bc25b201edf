/**
 * Aligns two readings of one line: finds which characters of the two readings correspond to each
 * other.
 */

export interface PlacedCharacter {
  text: string;
  /** Middle of the character in pixels. */
  x: number;
}

/**
 * Indices of two characters, one from each reading, that are at the same place in the line. One
 * index is undefined if only one reading has a character there.
 */
export type Pair = readonly [first: number | undefined, second: number | undefined];

/**
 * Costs of a pair of different characters, of a pair that differs only in its case, and of a
 * character without a partner.
 */
const [different, otherCase, missing] = [1, 0.4, 0.65];
/**
 * Cost of the horizontal distance between the two characters of a pair: cost of a distance of one
 * letter height, and maximum cost.
 */
const [perHeight, maxFar] = [0.25, 1.5];

/**
 * Returns the pairs with the lowest total cost, from left to right. The time grows with the product
 * of the lengths of both readings, which is acceptable because a line has at most some 400
 * characters.
 */
export function aligned(
  first: readonly PlacedCharacter[],
  second: readonly PlacedCharacter[],
  letterHeight: number,
): Pair[] {
  const columns = second.length + 1;
  const costs = new Float32Array((first.length + 1) * columns);
  for (let i = 0; i <= first.length; i++) {
    for (let j = 0; j <= second.length; j++) {
      if (i === 0 && j === 0) continue;
      const both =
        i > 0 && j > 0
          ? (costs[(i - 1) * columns + j - 1] ?? 0) + costOf(first[i - 1], second[j - 1], letterHeight)
          : Infinity;
      const one = i > 0 ? (costs[(i - 1) * columns + j] ?? 0) + missing : Infinity;
      const other = j > 0 ? (costs[i * columns + j - 1] ?? 0) + missing : Infinity;
      costs[i * columns + j] = Math.min(both, one, other);
    }
  }
  return pathThrough(first, second, letterHeight, costs);
}

function pathThrough(
  first: readonly PlacedCharacter[],
  second: readonly PlacedCharacter[],
  letterHeight: number,
  costs: Float32Array,
): Pair[] {
  const columns = second.length + 1;
  const pairs: Pair[] = [];
  let [i, j] = [first.length, second.length];
  while (i > 0 || j > 0) {
    const cost = costs[i * columns + j] ?? 0;
    const isBoth =
      i > 0 &&
      j > 0 &&
      Math.abs(cost - (costs[(i - 1) * columns + j - 1] ?? 0) - costOf(first[i - 1], second[j - 1], letterHeight)) <
        1e-3;
    if (isBoth) pairs.push([--i, --j]);
    else if (i > 0 && Math.abs(cost - (costs[(i - 1) * columns + j] ?? 0) - missing) < 1e-3)
      pairs.push([--i, undefined]);
    else if (j > 0) pairs.push([undefined, --j]);
    else pairs.push([--i, undefined]);
  }
  return pairs.reverse();
}

function costOf(a: PlacedCharacter | undefined, b: PlacedCharacter | undefined, letterHeight: number): number {
  if (a === undefined || b === undefined) return different;
  const far = Math.min((Math.abs(a.x - b.x) / letterHeight) * perHeight, maxFar);
  if (a.text === b.text) return far;
  return (a.text.toLowerCase() === b.text.toLowerCase() ? otherCase : different) + far;
}
