/** Scores how well a span of words in a document agrees with a learned anchor. */
import type { Box } from "../../../reading/document.ts";
import { type TextRun, unionOf, wordAt } from "../../page/text-runs.ts";
import type { Span } from "./candidate-spans.ts";
import { contextOf } from "./describe-anchor.ts";
import type { Anchor } from "./learned.ts";
import { columnOf, leftOf, type MemoryPage, type MemoryView } from "./memory-view.ts";
import { textOf } from "./readings.ts";
import { type Likeness, type SkeletonItem, scaled } from "./skeleton.ts";
import { coarseShapeOf, hashOf, keyOf, shapeOf } from "./text-keys.ts";

/** Weights of the features that are compared. Chosen by hand on two invented layouts, 2026-11. */
const weights = {
  before: 3,
  after: 1.5,
  edge: 1.5,
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
/** Bonus if the span has the same words as the learned value, such as the name of a seller. */
const sameWords = 1.5;
/**
 * The match (0 to 1) of the text above is reduced by this amount for each other text between it and
 * the span.
 */
const higherAbove = 0.25;
/**
 * Factor for the weight of a neighbouring word with digits. Such words are different in most
 * documents.
 */
const ofNumber = 0.4;
/**
 * Match (0 to 1) of neighbouring words. The index is the number of equal words, from 0 to 3. Two
 * equal words are nearly as good as four.
 */
const sharedWords = [0, 0.5, 0.8, 0.95];
/** Match (0 to 1) of two shapes that differ only in lengths, such as "AA-9999" and "A-99". */
const sameCoarseShape = 0.8;
/**
 * Match (0 to 1) of two shapes that are less similar, but either both contain digits or both
 * contain no digits.
 */
const sameClass = 0.4;

/** A fixed text near an anchor, and the same text in the other document. */
export interface Neighbour {
  item: SkeletonItem;
  other: SkeletonItem;
}

/** Maximum number of neighbours that are compared. */
const maxNeighbours = 8;

/**
 * Returns the fixed texts nearest to the anchor, nearest first. Vertical distance counts more than
 * horizontal distance.
 */
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

/**
 * Horizontal distance, in thousandths of the page's width, at which the agreement of two positions
 * has fallen to 1/e. Chosen by hand, 2026-11.
 */
const fadeAcross = 20;
/**
 * Vertical distance, in thousandths of the page's width, at which the agreement of two positions
 * has fallen to 1/e. Chosen by hand, 2026-11.
 */
const fadeDown = 10;

/**
 * Minimum agreement between a span's position and the neighbouring fixed texts, if the span has no
 * matching label.
 */
const placedAt = 0.5;

/**
 * Returns true for a value inside a sentence. Its position says little, because lines break at
 * different words in each document.
 */
const isInline = ({ atStart, atEnd, before, after }: Anchor): boolean =>
  !atStart && !atEnd && [before[0], before[1], after[0]].every((key) => key !== undefined && key !== "#");

/**
 * Returns how well the span agrees with the anchor, 0 to 1. Returns 0 if neither a label nor the
 * neighbours confirm its position. Also returns 0 as soon as the score cannot reach `least`.
 */
export function scoreSpan(
  anchor: Anchor,
  { page, words }: Span,
  neighbours: readonly Neighbour[],
  view: MemoryView,
  least: number,
): number {
  const run = page.runOf.get(words[0] ?? -1);
  const last = page.runOf.get(words.at(-1) ?? -1);
  if (!run || !last) return 0;
  const sum = new SignSum();
  const inline = isInline(anchor);
  const near = inline ? undefined : countPlace(sum, anchor, page, words, neighbours);
  sum.count(weights.page, page.index === anchor.page ? 1 : 0);
  sum.count(weights.style, run.bold === anchor.bold ? 1 : 0);
  sum.count(weights.edge, (run.words[0] === words[0]) === anchor.atStart ? 1 : 0);
  sum.count(weights.edge, (last.words.at(-1) === words.at(-1)) === anchor.atEnd ? 1 : 0);
  if (sum.most(restOf(anchor, view)) < least) return 0;
  const hasLabel = countTexts(sum, anchor, { page, words }, run, last, view);
  if (!hasLabel && (near ?? 0) < placedAt && (inline || neighbours.length > 0)) return 0;
  const text = textOf(page.runs, words);
  sum.count(weights.shape, likeShape(anchor.shape, shapeOf(text)));
  return sum.share(hashOf(keyOf(text)) === anchor.quote ? sameWords : 0);
}

/** Weighted mean of the matches of features. */
class SignSum {
  #sum = 0;
  #all = 0;

  count(weight: number, match: number): void {
    this.#sum += weight * match;
    this.#all += weight;
  }

  /**
   * Returns the highest mean that is still possible: all remaining features match, and the bonus is
   * added.
   * @param rest total weight of the features that are not counted yet
   */
  most(rest: number): number {
    return (this.#sum + rest + sameWords) / (this.#all + rest);
  }

  share(bonus: number): number {
    return Math.min(1, (this.#sum + bonus) / this.#all);
  }
}

/**
 * Returns the total weight of the features that are counted last: the texts around the span, and
 * its shape.
 */
const restOf = ({ before, after, left, above, below }: Anchor, { texts }: MemoryView): number =>
  (before[0] === undefined ? 0 : weights.before * weightOf(before[0])) +
  (after[0] === undefined ? 0 : weights.after * weightOf(after[0])) +
  (texts.has(left) ? weights.left : 0) +
  (texts.has(above) ? weights.above : 0) +
  (texts.has(below) ? weights.below : 0) +
  weights.shape;

/**
 * Adds the match of the span's position to `sum`. Returns how well the position agrees with the
 * neighbours.
 */
function countPlace(
  sum: SignSum,
  anchor: Anchor,
  page: MemoryPage,
  words: readonly number[],
  neighbours: readonly Neighbour[],
): number | undefined {
  const box = scaled(page.runs, words.map((word) => wordAt(page.runs.page, word).box).reduce(unionOf));
  const near = nearness(anchor, page.index, box, neighbours);
  if (near !== undefined) sum.count(weights.near, near);
  sum.count(weights.across, fade(edges(anchor.box, box), fadeAcross));
  const bottom = (1000 * page.runs.page.height) / Math.max(1, page.runs.page.width) - box[3];
  const down = Math.min(Math.abs(box[1] - anchor.box[1]), Math.abs(bottom - anchor.fromBottom));
  sum.count(weights.down, fade(down, fadeDown));
  return near;
}

/**
 * Adds the match of the texts around the span to `sum`. Returns true if a text that may be the
 * label is also in the learned context.
 */
function countTexts(
  sum: SignSum,
  anchor: Anchor,
  { page, words }: Span,
  run: TextRun,
  last: TextRun,
  view: MemoryView,
): boolean {
  const context = contextOf(page, words);
  const hash = (other: TextRun): string => page.hashes.get(other) ?? "";
  let hasLabel = false;
  const [first] = anchor.before;
  if (first !== undefined) {
    const match = shared(anchor.before, context.before);
    sum.count(weights.before * weightOf(first), match);
    hasLabel = first !== "#" && match > 0;
  }
  const [next] = anchor.after;
  if (next !== undefined) sum.count(weights.after * weightOf(next), shared(anchor.after, context.after));
  if (view.texts.has(anchor.left)) {
    const left = leftOf(page, run);
    const isSame = left !== undefined && hash(left) === anchor.left;
    sum.count(weights.left, isSame ? 1 : 0);
    hasLabel ||= isSame;
  }
  if (view.texts.has(anchor.above)) {
    const at = columnOf(page, run, -1, 3).findIndex((other) => hash(other) === anchor.above);
    sum.count(weights.above, at < 0 ? 0 : 1 - higherAbove * at);
    hasLabel ||= at >= 0;
  }
  if (view.texts.has(anchor.below)) {
    const isSame = columnOf(page, last, 1, 2).some((other) => hash(other) === anchor.below);
    sum.count(weights.below, isSame ? 1 : 0);
  }
  return hasLabel;
}

const weightOf = (key: string): number => (key === "#" ? ofNumber : 1);

/**
 * Returns the match (0 to 1) of the neighbouring words, which depends on the number of equal words
 * before the first difference.
 */
function shared(learned: readonly string[], other: readonly string[]): number {
  const differs = learned.findIndex((key, at) => key !== other[at]);
  const same = differs < 0 ? learned.length : differs;
  return same === 0 ? 0 : same === learned.length ? 1 : (sharedWords[same] ?? 1);
}

const edges = (a: Box, b: Box): number => Math.min(Math.abs(a[0] - b[0]), Math.abs(a[2] - b[2]));
const fade = (distance: number, scale: number): number => Math.exp(-((distance / scale) ** 2));

/**
 * Minimum number of neighbouring fixed texts that must agree with the span's position. The others
 * may disagree: a list between the span and a neighbour differs in length between documents, which
 * moves the neighbour.
 */
const minAgreeing = 3;

/**
 * Returns how well the span's position, relative to the nearest fixed texts, agrees with the
 * learned position, 0 to 1. Undefined if there are no such texts.
 */
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
  if (coarseShapeOf(learned) === coarseShapeOf(other)) return sameCoarseShape;
  const hasDigits = (shape: string): boolean => shape.includes("9");
  return hasDigits(learned) === hasDigits(other) ? sameClass : 0;
}
