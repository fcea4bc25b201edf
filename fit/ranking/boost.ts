/** Gradient boosting of decision trees that choose one of several rows, or none of them. */
import { initialLogit } from "../../server/src/engine/extract/ranking/forest.ts";

export interface Tree {
  /** Feature of each node, or -1 for a leaf. */
  feature: number[];
  /** Threshold of each node. Values up to the threshold go left. */
  threshold: number[];
  /** Index of each node's left child. The right child comes right after it. */
  left: number[];
  /** Logit of each leaf. */
  value: number[];
}

/** Rows of which at most one is to be chosen. Choosing none has the logit 0. */
export interface Choice {
  rows: readonly Float32Array[];
  /**
   * True for each correct row. If several are correct, any of them may be chosen; if none is
   * correct, none should be chosen.
   */
  right: readonly boolean[];
  weight: number;
}

export interface BoostOptions {
  trees: number;
  /** Maximum number of splits from the root to a leaf. */
  depth: number;
  /** Learning rate: the share (0–1) of each tree's values that is added. */
  rate: number;
  /** Minimum sum of the weights of a leaf's rows. */
  minWeight: number;
  /** Added to the hessian of a leaf. The larger it is, the smaller the value of the leaf. */
  lambda: number;
  /** Share (0–1) of the features that each tree may use. */
  features: number;
  /** Share (0–1) of the choices that each tree is grown from. */
  choices: number;
}

/** Maximum number of intervals (bins) into which the values of a feature are divided. */
const bins = 48;
/** Number of sampled rows from which the edges of the intervals are computed. */
const sampleSize = 6000;
/** Minimum gain of a split. */
const minGain = 1e-3;

/**
 * The training data: all rows, stored by feature as the indexes of the intervals of their values,
 * and the gradients of the loss.
 */
interface Data {
  binned: readonly Uint8Array[];
  /** Upper ends of the intervals of each feature, except of the last interval. */
  edges: readonly (readonly number[])[];
  weights: readonly number[];
  gradient: Float64Array;
  hessian: Float64Array;
  /** Sum of the values of all trees so far. */
  logits: Float64Array;
}

export function boost(choices: readonly Choice[], options: BoostOptions, random: () => number): Tree[] {
  const rows = choices.flatMap((choice) => choice.rows);
  const n = rows.length;
  const width = rows[0]?.length ?? 0;
  const edges = Array.from({ length: width }, (_, f) => edgesOf(rows, f, random));
  const binned = Array.from({ length: width }, (_, f) => {
    const column = new Uint8Array(n);
    const cut = edges[f] ?? [];
    for (let i = 0; i < n; i++) column[i] = binOf(cut, rows[i]?.[f] ?? 0);
    return column;
  });
  const weights = choices.flatMap((choice) => choice.rows.map(() => choice.weight));
  const logits = new Float64Array(n).fill(initialLogit);
  const data: Data = { binned, edges, weights, gradient: new Float64Array(n), hessian: new Float64Array(n), logits };
  const trees: Tree[] = [];
  for (let t = 0; t < options.trees; t++) {
    slope(data, choices);
    const chosen = Array.from({ length: width }, (_, f) => f).filter(
      (f) => (edges[f]?.length ?? 0) > 0 && random() < options.features,
    );
    const tree = grow(data, drawRows(choices, options.choices, random), chosen, options);
    addValues(data, tree.splits);
    trees.push(tree.tree);
  }
  return trees;
}

/**
 * Computes the gradients of the loss: a softmax over the rows of a choice and the option to choose
 * none.
 */
function slope({ gradient, hessian, logits }: Data, choices: readonly Choice[]): void {
  let first = 0;
  for (const { rows, right, weight } of choices) {
    const powers = rows.map((_, at) => Math.exp(logits[first + at] ?? 0));
    const total = powers.reduce((sum, power) => sum + power, 1);
    const rights = powers.reduce((sum, power, at) => sum + (right[at] ? power : 0), 0);
    for (const [at, power] of powers.entries()) {
      const p = power / total;
      gradient[first + at] = weight * (p - (right[at] ? power / rights : 0));
      hessian[first + at] = weight * Math.max(1e-6, p * (1 - p));
    }
    first += rows.length;
  }
}

function edgesOf(rows: readonly Float32Array[], f: number, random: () => number): number[] {
  const sample = new Float64Array(Math.min(rows.length, sampleSize))
    .map(() => rows[Math.floor(random() * rows.length)]?.[f] ?? 0)
    .sort();
  const edges: number[] = [];
  for (let b = 1; b < bins; b++) {
    const at = sample[Math.floor((b * sample.length) / bins)] ?? 0;
    if (at < (sample[sample.length - 1] ?? 0) && (edges.length === 0 || at > (edges.at(-1) ?? 0))) edges.push(at);
  }
  return edges;
}

function binOf(edges: readonly number[], value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (edges[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Draws a share of the choices at random. Returns the indexes of their rows. */
function drawRows(choices: readonly Choice[], share: number, random: () => number): Int32Array {
  const drawn: number[] = [];
  let first = 0;
  for (const { rows } of choices) {
    if (share >= 1 || random() < share) for (let at = 0; at < rows.length; at++) drawn.push(first + at);
    first += rows.length;
  }
  return Int32Array.from(drawn);
}

/**
 * Grows a tree level by level. `splits` is the same tree, with the interval index of each node's
 * threshold.
 */
function grow(
  data: Data,
  all: Int32Array,
  features: readonly number[],
  options: BoostOptions,
): { tree: Tree; splits: BinnedTree } {
  const { binned, edges, gradient, hessian } = data;
  const tree: Tree = { feature: [], threshold: [], left: [], value: [] };
  const bin: number[] = [];
  const addNode = (): number => {
    tree.feature.push(-1);
    tree.threshold.push(0);
    tree.left.push(0);
    tree.value.push(0);
    return tree.feature.length - 1;
  };
  let level: { node: number; members: Int32Array }[] = [{ node: addNode(), members: all }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { node, members } of level) {
      const [g, h] = [sumOf(gradient, members), sumOf(hessian, members)];
      const split = depth < options.depth ? bestSplit(data, features, members, [g, h], options) : undefined;
      const column = split && binned[split.feature];
      if (!split || !column) {
        tree.value[node] = (-options.rate * g) / (h + options.lambda);
        continue;
      }
      const [left, right] = [addNode(), addNode()];
      tree.feature[node] = split.feature;
      tree.threshold[node] = edges[split.feature]?.[split.bin] ?? 0;
      bin[node] = split.bin;
      tree.left[node] = left;
      next.push(
        { node: left, members: members.filter((i) => (column[i] ?? 0) <= split.bin) },
        { node: right, members: members.filter((i) => (column[i] ?? 0) > split.bin) },
      );
    }
    level = next;
  }
  return { tree, splits: { ...tree, bin } };
}

interface BinnedTree extends Tree {
  /** Index of the last interval that goes left, for each node. */
  bin: readonly number[];
}

/** Adds the values of a tree to the logits of all rows. */
function addValues({ binned, logits }: Data, { feature, left, value, bin }: BinnedTree): void {
  const columns = feature.map((at) => binned[at]);
  for (let row = 0; row < logits.length; row++) {
    let node = 0;
    while ((feature[node] as number) >= 0)
      node = (left[node] as number) + ((columns[node]?.[row] as number) <= (bin[node] as number) ? 0 : 1);
    logits[row] = (logits[row] as number) + (value[node] as number);
  }
}

function sumOf(values: Float64Array, members: Int32Array): number {
  let sum = 0;
  for (const i of members) sum += values[i] ?? 0;
  return sum;
}

interface Split {
  feature: number;
  /** Index of the last interval that goes left. */
  bin: number;
  gain: number;
}

/** Returns the split with the greatest gain; undefined if no split gains enough. */
function bestSplit(
  { binned, edges, weights, gradient, hessian }: Data,
  features: readonly number[],
  members: Int32Array,
  [g, h]: readonly [number, number],
  { lambda, minWeight }: BoostOptions,
): Split | undefined {
  let best: Split | undefined;
  const own = (g * g) / (h + lambda);
  for (const feature of features) {
    const column = binned[feature] ?? new Uint8Array();
    const [gs, hs, ws] = [new Float64Array(bins), new Float64Array(bins), new Float64Array(bins)];
    let total = 0;
    for (const i of members) {
      const bin = column[i] ?? 0;
      gs[bin] = (gs[bin] ?? 0) + (gradient[i] ?? 0);
      hs[bin] = (hs[bin] ?? 0) + (hessian[i] ?? 0);
      ws[bin] = (ws[bin] ?? 0) + (weights[i] ?? 1);
      total += weights[i] ?? 1;
    }
    let [lg, lh, lw] = [0, 0, 0];
    for (let bin = 0; bin < (edges[feature]?.length ?? 0); bin++) {
      lg += gs[bin] ?? 0;
      lh += hs[bin] ?? 0;
      lw += ws[bin] ?? 0;
      if (lw < minWeight || total - lw < minWeight) continue;
      const gain = (lg * lg) / (lh + lambda) + ((g - lg) * (g - lg)) / (h - lh + lambda) - own;
      if (gain > (best?.gain ?? minGain)) best = { feature, bin, gain };
    }
  }
  return best;
}

export function logitOf(trees: readonly Tree[], row: Float32Array): number {
  let sum = initialLogit;
  for (const { feature, threshold, left, value } of trees) {
    let node = 0;
    for (let f = feature[0] ?? -1; f >= 0; f = feature[node] ?? -1)
      node = (left[node] ?? 0) + ((row[f] ?? 0) <= (threshold[node] ?? 0) ? 0 : 1);
    sum += value[node] ?? 0;
  }
  return sum;
}

/** Returns the trees in the format that `server/src/engine/extract/ranking/forest.ts` reads. */
export function toBytes(trees: readonly Tree[]): Buffer {
  const nodeBytes = 8;
  const count = trees.reduce((sum, { feature }) => sum + feature.length, 0);
  const from = 4 + 4 * trees.length;
  const bytes = Buffer.alloc(from + nodeBytes * count);
  bytes.writeUInt32LE(trees.length, 0);
  let root = 0;
  for (const [tree, { feature, threshold, left, value }] of trees.entries()) {
    bytes.writeUInt32LE(root, 4 + 4 * tree);
    for (const [node, each] of feature.entries()) {
      const at = from + nodeBytes * (root + node);
      bytes.writeInt16LE(each, at);
      bytes.writeUInt16LE(each < 0 ? 0 : (left[node] ?? 0) - node, at + 2);
      bytes.writeFloatLE((each < 0 ? value[node] : threshold[node]) ?? 0, at + 4);
    }
    root += feature.length;
  }
  return bytes;
}
