/** Scores how well a span of a paper agrees with a learned anchor. */
import type { Box } from "../../../reading/document.ts";
import { unionOf, wordAt } from "../../page/text-runs.ts";
import type { Span } from "./candidate-spans.ts";
import { contextOf } from "./describe-anchor.ts";
import type { Anchor } from "./learned.ts";
import { columnOf, leftOf, type MemoryView } from "./memory-view.ts";
import { textOf } from "./readings.ts";
import { type Likeness, type SkeletonItem, scaled } from "./skeleton.ts";
import { coarseShapeOf, hashOf, keyOf, shapeOf } from "./text-keys.ts";

/** Weights of the signs. Chosen by hand on two invented layouts, 2026-11. */
const weights = {
  before: 3,
  after: 1.5,
  left: 3,
  above: 2,
  below: 0.7,
  near: 5,
  across: 1.5,
  down: 0.7,
  page: 0.5,
  shape: 1.5,
  style: 0.5,
};
/** Bonus for the same words as on the learned paper, as of a seller's name. */
const sameWords = 1.5;

/** Fixed texts next to an anchor that place it on another paper. */
export interface Neighbour {
  item: SkeletonItem;
  other: SkeletonItem;
}

/** Maximum neighbours of an anchor. */
const maxNeighbours = 8;

/** Returns the fixed texts nearest to the anchor, nearest first. Rows count more than columns. */
export function neighboursOf({ page, box }: Anchor, { boxes }: Likeness): Neighbour[] {
  const distance = ({ item }: Neighbour): number =>
    3 * gap(item.box[1], item.box[3], box[1], box[3]) + gap(item.box[0], item.box[2], box[0], box[2]);
  return [...boxes]
    .filter(([item]) => item.page === page)
    .map(([item, other]) => ({ item, other }))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, maxNeighbours);
}

const gap = (a0: number, a1: number, b0: number, b1: number): number => Math.max(0, b0 - a1, a0 - b1);

/** Distances at which a sign fades, in thousandths of the page's width. Chosen by hand, 2026-11. */
const fadeAcross = 20;
const fadeDown = 10;

/** Returns 0 to 1: the agreement of all signs that the other paper has. */
export function scoreSpan(
  anchor: Anchor,
  { page, words }: Span,
  neighbours: readonly Neighbour[],
  view: MemoryView,
): number {
  const run = page.runOf.get(words[0] ?? -1);
  const last = page.runOf.get(words.at(-1) ?? -1);
  if (!run || !last) return 0;
  const box = scaled(page.runs, words.map((word) => wordAt(page.runs.page, word).box).reduce(unionOf));
  const text = textOf(page.runs, words);
  let sum = 0;
  let all = 0;
  const count = (weight: number, match: number): void => {
    sum += weight * match;
    all += weight;
  };
  const context = contextOf(page, words);
  const [first] = anchor.before;
  if (first !== undefined && first !== "#") count(weights.before, shared(anchor.before, context.before));
  if (anchor.after[0] !== undefined && anchor.after[0] !== "#")
    count(weights.after, shared(anchor.after, context.after));
  const hash = (other = run): string => page.hashes.get(other) ?? "";
  if (view.texts.has(anchor.left)) {
    const left = leftOf(page, run);
    count(weights.left, left && hash(left) === anchor.left ? 1 : 0);
  }
  if (view.texts.has(anchor.above)) {
    const at = columnOf(page, run, -1, 3).findIndex((other) => hash(other) === anchor.above);
    count(weights.above, at < 0 ? 0 : 1 - 0.25 * at);
  }
  if (view.texts.has(anchor.below))
    count(weights.below, columnOf(page, last, 1, 2).some((other) => hash(other) === anchor.below) ? 1 : 0);
  const near = nearness(anchor, page.index, box, neighbours);
  if (near !== undefined) count(weights.near, near);
  count(weights.across, fade(edges(anchor.box, box), fadeAcross));
  const bottom = (1000 * page.runs.page.height) / Math.max(1, page.runs.page.width) - box[3];
  count(weights.down, fade(Math.min(Math.abs(box[1] - anchor.box[1]), Math.abs(bottom - anchor.fromBottom)), fadeDown));
  count(weights.page, page.index === anchor.page ? 1 : 0);
  count(weights.shape, likeShape(anchor.shape, shapeOf(text)));
  count(weights.style, run.bold === anchor.bold ? 1 : 0);
  if (hashOf(keyOf(text)) === anchor.quote) sum = Math.min(all, sum + sameWords);
  return sum / all;
}

/** Returns the share of words of a context that are the same, up to the first that differs. */
function shared(learned: readonly string[], other: readonly string[]): number {
  const differs = learned.findIndex((key, at) => key !== other[at]);
  // The nearest word weighs as much as all others.
  const same = differs < 0 ? learned.length : differs;
  return same === 0 ? 0 : 0.6 + 0.4 * (same / learned.length);
}

const edges = (a: Box, b: Box): number => Math.min(Math.abs(a[0] - b[0]), Math.abs(a[2] - b[2]));
const fade = (distance: number, scale: number): number => Math.exp(-((distance / scale) ** 2));

/** Minimum neighbours that must agree: what lies beyond a list moves with its length. */
const minAgreeing = 3;

/** Returns how well the span stands where the nearest fixed texts place it. */
function nearness(anchor: Anchor, page: number, box: Box, neighbours: readonly Neighbour[]): number | undefined {
  if (neighbours.length === 0) return undefined;
  const scores = neighbours
    .map(({ item, other }) => {
      if (other.page !== page) return 0;
      const [dx, dy] = [other.box[0] - item.box[0], other.box[1] - item.box[1]];
      const across = Math.min(Math.abs(anchor.box[0] + dx - box[0]), Math.abs(anchor.box[2] + dx - box[2]));
      return fade(across, fadeAcross) * fade(anchor.box[1] + dy - box[1], fadeDown);
    })
    .sort((a, b) => b - a)
    .slice(0, Math.max(minAgreeing, neighbours.length >> 1));
  return scores.reduce((sum, each) => sum + each, 0) / scores.length;
}

function likeShape(learned: string, other: string): number {
  if (learned === other) return 1;
  if (coarseShapeOf(learned) === coarseShapeOf(other)) return 0.8;
  const hasDigits = (shape: string): boolean => shape.includes("9");
  return hasDigits(learned) === hasDigits(other) ? 0.4 : 0;
}
