/** Gradient boosting of decision trees for yes or no, by histograms. */

export interface Tree {
  /** Per node: feature, or -1 for a leaf. */
  feature: number[];
  /** Per node: values up to this go left. */
  threshold: number[];
  /** Per node: index of the left child; the right one follows it. */
  left: number[];
  /** Per node: logit of a leaf. */
  value: number[];
}

export interface BoostOptions {
  trees: number;
  depth: number;
  rate: number;
  /** Minimum weight of a leaf. */
  minWeight: number;
  lambda: number;
  /** Share of features per tree. */
  features: number;
}

const bins = 48;

export function boost(
  rows: readonly Float32Array[],
  right: readonly boolean[],
  weights: readonly number[],
  options: BoostOptions,
  random: () => number,
): Tree[] {
  const n = rows.length;
  const width = rows[0]?.length ?? 0;
  const edges = Array.from({ length: width }, (_, f) => edgesOf(rows, f, random));
  const binned = Array.from({ length: width }, (_, f) => {
    const column = new Uint8Array(n);
    const cut = edges[f] as number[];
    for (let i = 0; i < n; i++) column[i] = binOf(cut, rows[i]?.[f] ?? 0);
    return column;
  });
  const logits = new Float64Array(n);
  const gradient = new Float64Array(n);
  const hessian = new Float64Array(n);
  const trees: Tree[] = [];
  for (let t = 0; t < options.trees; t++) {
    for (let i = 0; i < n; i++) {
      const p = 1 / (1 + Math.exp(-(logits[i] ?? 0)));
      const w = weights[i] ?? 1;
      gradient[i] = w * (p - (right[i] ? 1 : 0));
      hessian[i] = w * Math.max(1e-6, p * (1 - p));
    }
    const chosen = Array.from({ length: width }, (_, f) => f).filter(
      (f) => (edges[f]?.length ?? 0) > 0 && random() < options.features,
    );
    trees.push(grow(binned, edges, chosen, gradient, hessian, weights, logits, options));
  }
  return trees;
}

function edgesOf(rows: readonly Float32Array[], f: number, random: () => number): number[] {
  const sample = new Float64Array(Math.min(rows.length, 6000))
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

function grow(
  binned: readonly Uint8Array[],
  edges: readonly number[][],
  features: readonly number[],
  gradient: Float64Array,
  hessian: Float64Array,
  weights: readonly number[],
  logits: Float64Array,
  options: BoostOptions,
): Tree {
  const tree: Tree = { feature: [], threshold: [], left: [], value: [] };
  const addNode = (): number => {
    tree.feature.push(-1);
    tree.threshold.push(0);
    tree.left.push(0);
    tree.value.push(0);
    return tree.feature.length - 1;
  };
  const all = Int32Array.from({ length: gradient.length }, (_, i) => i);
  let level: { node: number; members: Int32Array }[] = [{ node: addNode(), members: all }];
  for (let depth = 0; depth <= options.depth && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { node, members } of level) {
      let [g, h] = [0, 0];
      for (const i of members) {
        g += gradient[i] ?? 0;
        h += hessian[i] ?? 0;
      }
      let best = { gain: 1e-3, feature: -1, bin: 0 };
      if (depth < options.depth) {
        const own = (g * g) / (h + options.lambda);
        for (const f of features) {
          const column = binned[f] as Uint8Array;
          const gs = new Float64Array(bins);
          const hs = new Float64Array(bins);
          const ws = new Float64Array(bins);
          let total = 0;
          for (const i of members) {
            const b = column[i] ?? 0;
            gs[b] = (gs[b] ?? 0) + (gradient[i] ?? 0);
            hs[b] = (hs[b] ?? 0) + (hessian[i] ?? 0);
            ws[b] = (ws[b] ?? 0) + (weights[i] ?? 1);
            total += weights[i] ?? 1;
          }
          let [lg, lh, lw] = [0, 0, 0];
          for (let b = 0; b < (edges[f]?.length ?? 0); b++) {
            lg += gs[b] ?? 0;
            lh += hs[b] ?? 0;
            lw += ws[b] ?? 0;
            if (lw < options.minWeight || total - lw < options.minWeight) continue;
            const gain = (lg * lg) / (lh + options.lambda) + ((g - lg) * (g - lg)) / (h - lh + options.lambda) - own;
            if (gain > best.gain) best = { gain, feature: f, bin: b };
          }
        }
      }
      if (best.feature < 0) {
        const value = (-options.rate * g) / (h + options.lambda);
        tree.value[node] = value;
        for (const i of members) logits[i] = (logits[i] ?? 0) + value;
        continue;
      }
      const column = binned[best.feature] as Uint8Array;
      const left = addNode();
      const right = addNode();
      tree.feature[node] = best.feature;
      tree.threshold[node] = edges[best.feature]?.[best.bin] ?? 0;
      tree.left[node] = left;
      next.push(
        { node: left, members: members.filter((i) => (column[i] ?? 0) <= best.bin) },
        { node: right, members: members.filter((i) => (column[i] ?? 0) > best.bin) },
      );
    }
    level = next;
  }
  return tree;
}

export function logitOf(trees: readonly Tree[], row: Float32Array): number {
  let sum = 0;
  for (const { feature, threshold, left, value } of trees) {
    let node = 0;
    for (let f = feature[0] ?? -1; f >= 0; f = feature[node] ?? -1)
      node = (left[node] ?? 0) + ((row[f] ?? 0) <= (threshold[node] ?? 0) ? 0 : 1);
    sum += value[node] ?? 0;
  }
  return sum;
}

/** Returns the trees in the layout that `server/src/engine/extract/ranking/forest.ts` reads. */
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
