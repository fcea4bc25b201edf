/**
 * Reads and evaluates the forest, a set of decision trees. The sum of their outputs is the logit of
 * a value. A value with the logit 0 is as likely as "no value". `npm run fit -- ranking` writes the
 * trees to `forest.bin`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Size of a node in bytes. A node consists of the feature, the left child, and the threshold or
 * value.
 */
const nodeBytes = 8;

export interface Forest {
  /** Index of the root of each tree. */
  roots: Uint32Array;
  /** For each node: index of its feature, or -1 for a leaf. */
  features: Int16Array;
  /** For each node: distance to its left child. The right child directly follows the left one. */
  lefts: Uint16Array;
  /**
   * For each inner node: the greatest value of its feature that leads to the left child. For each
   * leaf: the amount that it adds to the logit.
   */
  numbers: Float32Array;
}

let loaded: Forest | undefined;

/** Returns the forest. It is read from its file when it is first used. */
export function forest(): Forest {
  loaded ??= readForest(join(import.meta.dirname, "forest.bin"));
  return loaded;
}

/** Reads a forest from a file written by `fit/ranking/boost.ts`. */
export const readForest = (path: string): Forest => forestOf(readFileSync(path));

/**
 * Decodes a forest. Layout: number of trees, index of each root, then the nodes. All numbers are
 * little-endian.
 */
export function forestOf(bytes: Buffer): Forest {
  const trees = bytes.readUInt32LE(0);
  const from = 4 + 4 * trees;
  const count = (bytes.length - from) / nodeBytes;
  const nodeAt = (node: number): number => from + nodeBytes * node;
  return {
    roots: Uint32Array.from({ length: trees }, (_, tree) => bytes.readUInt32LE(4 + 4 * tree)),
    features: Int16Array.from({ length: count }, (_, node) => bytes.readInt16LE(nodeAt(node))),
    lefts: Uint16Array.from({ length: count }, (_, node) => bytes.readUInt16LE(nodeAt(node) + 2)),
    numbers: Float32Array.from({ length: count }, (_, node) => bytes.readFloatLE(nodeAt(node) + 4)),
  };
}

/**
 * Initial logit, to which the trees add their outputs. It is negative because only about one value
 * in twenty is correct.
 */
export const initialLogit = -3;
/**
 * If the logit is below `hopeless` after this many trees, the remaining trees are not evaluated.
 */
const firstTrees = 60;
const hopeless = -6;

/** Returns the logit of a value with these features. */
export function logitOf({ roots, features, lefts, numbers }: Forest, row: Float32Array): number {
  let logit = initialLogit;
  for (let tree = 0; tree < roots.length; tree++) {
    if (tree === firstTrees && logit < hopeless) break;
    let node = roots[tree] as number;
    for (let feature = features[node] as number; feature >= 0; feature = features[node] as number)
      node += (lefts[node] as number) + ((row[feature] as number) <= (numbers[node] as number) ? 0 : 1);
    logit += numbers[node] as number;
  }
  return logit;
}
