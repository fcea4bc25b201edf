/** Estimates for each page the probability that a new document starts there. */

import { type BoundaryFeatures, boundaryBias, boundaryWeights } from "./boundary-weights.ts";
import type { PageFacts } from "./page-facts.ts";

/**
 * Returns the features of the boundary before each page. They are undefined for blank pages, and
 * for the first page that has text.
 */
export function featuresOfPages(pages: readonly PageFacts[]): (BoundaryFeatures | undefined)[] {
  let before: PageFacts | undefined;
  let blanks = 0;
  return pages.map((page, at) => {
    if (page.blank) {
      blanks++;
      return undefined;
    }
    const features = before && boundaryFeatures(before, page, pages[at + 1], blanks > 0);
    before = page;
    blanks = 0;
    return features;
  });
}

/**
 * Minimum strength (0 to 1) at which a title is compared with the title of the page before. Chosen
 * by hand, 2026-11.
 */
const minTitle = 0.3;
/**
 * Maximum difference between page widths or heights that count as equal, as a share of the larger
 * one. Chosen by hand, 2026-11.
 */
const sameSize = 0.012;
/**
 * The page before a boundary counts as short if its text ends above this share of the page height.
 * Chosen by hand, 2026-11.
 */
const shortBelow = 0.6;
/**
 * The page after a boundary counts as short if its text ends above this share of the page height.
 * Chosen by hand, 2026-11.
 */
const shortNextBelow = 0.5;

/** Computes the features for and against a boundary before `next`, each about 0 to 1. */
function boundaryFeatures(
  before: PageFacts,
  next: PageFacts,
  after: PageFacts | undefined,
  blankBetween: boolean,
): BoundaryFeatures {
  const head = edgeSimilarity(before.top, next.top);
  const foot = edgeSimilarity(before.bottom, next.bottom);
  const labels = labelsOf(before, next);
  const sameTitle =
    next.titleKind !== undefined && next.titleKind === before.titleKind && next.opening.title > minTitle;
  const words = overlap(before.vocabulary, next.vocabulary);
  const ahead = after && !after.blank ? after : undefined;
  return {
    ...numberFeatures(before, next, after),
    head,
    foot,
    codes: 1 - Math.exp(-shared(before.codes, next.codes) / 2),
    labelAgrees: Math.min(2, labels.agree) / 2,
    labelConflicts: Math.min(2, labels.conflict) / 2,
    vocabulary: words,
    wordsApart: Math.min(before.vocabulary.size, next.vocabulary.size) > 60 ? Math.max(0, 1 - words / usualOverlap) : 0,
    // A page that is more similar to the next page than to the previous one probably starts a new
    // document.
    wordsAhead: ahead ? Math.max(0, overlap(next.vocabulary, ahead.vocabulary) - words) : 0,
    wordsBehind: ahead ? Math.max(0, words - overlap(next.vocabulary, ahead.vocabulary)) : 0,
    edgesAhead: ahead
      ? Math.max(0, edgeSimilarity(next.top, ahead.top) + edgeSimilarity(next.bottom, ahead.bottom) - head - foot) / 2
      : 0,
    rows: Math.min(1, shared(before.rows, next.rows) / 6),
    pageSize: Number(
      differs(before.width, next.width, sameSize) ||
        // The height of a page in a format without fixed pages depends only on the length of its
        // text.
        (!before.flow && !next.flow && differs(before.height, next.height, sameSize)),
    ),
    // Text files and workbooks rarely contain two documents.
    flow: Number(before.flow && next.flow),
    margins: Math.min(1, 8 * Math.abs(before.left - next.left)),
    rightMargins: Math.min(1, 5 * Math.abs(before.right - next.right)),
    language: Number(before.language !== undefined && next.language !== undefined && before.language !== next.language),
    headlineAfterProse: next.headline * before.prose,
    prose: Math.abs(before.prose - next.prose),
    bothProse: Math.min(before.prose, next.prose),
    title: next.opening.title,
    titleBefore: before.opening.title,
    titleAgain: Number(sameTitle),
    titleOfOther: Number(sameTitle && labels.conflict > 0 && labels.agree === 0),
    closedBoth: Number(before.closing && next.closing && sameTitle),
    salutation: Number(next.opening.salutation),
    date: Number(next.opening.date),
    contact: next.opening.contact,
    closing: Number(before.closing),
    shortBefore: before.bottomEnd < shortBelow ? 1 : 0,
    shortNext: next.bottomEnd < shortNextBelow ? 1 : 0,
    open: Number(before.endsOpen && next.startsOpen),
    startsOpen: Number(next.startsOpen),
    continued: Number(before.continued || next.continued),
    blank: Number(blankBetween),
  };
}

function numberFeatures(before: PageFacts, next: PageFacts, after: PageFacts | undefined) {
  const [a, b, c] = [before.number, next.number, after?.number];
  const sure = a?.sure !== false && b?.sure !== false;
  const follows = a !== undefined && b !== undefined && b.page === a.page + 1 && (a.of === b.of || !a.of || !b.of);
  return {
    follows: Number(follows && sure),
    followsOf: Number(follows && a?.of !== undefined && b?.of !== undefined),
    followsBare: Number(follows && !sure),
    first: Number(b?.sure === true && b.page === 1),
    firstBare: Number(b?.sure === false && b.page === 1),
    breaks: Number(a !== undefined && b !== undefined && !follows && b.page !== 1 && sure),
    breaksBare: Number(a !== undefined && b !== undefined && !follows && b.page !== 1 && !sure),
    lastBefore: Number(!follows && a?.of !== undefined && a.page === a.of),
    unfinished: Number(a?.of !== undefined && a.page < a.of && b === undefined),
    second: Number(a === undefined && b?.sure === true && b.page === 2),
    later: Number(a === undefined && b?.sure === true && b.page > 2),
    ended: Number(a?.sure === true && b === undefined),
    firstBySecond: Number(b === undefined && c?.sure === true && c.page === 2),
  };
}

/** Returns the probability (0–1) that a new document starts at a boundary with these features. */
export function boundaryChance(features: BoundaryFeatures): number {
  const names = Object.keys(boundaryWeights) as (keyof BoundaryFeatures)[];
  const sum = names.reduce((logOdds, name) => logOdds + boundaryWeights[name] * features[name], boundaryBias);
  return 1 / (1 + Math.exp(-sum));
}

const differs = (a: number, b: number, share: number): boolean => Math.abs(a - b) > share * Math.max(a, b, 1);

function shared<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let count = 0;
  for (const item of small) if (large.has(item)) count++;
  return count;
}

/**
 * Returns the share of the smaller set that is also in the larger one. The share is reduced for
 * small sets, because their overlap may be due to chance.
 */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return shared(a, b) / (Math.min(a.size, b.size) + 8);
}

/** Usual `overlap` of the vocabularies of two pages of one document. Chosen by hand, 2026-11. */
const usualOverlap = 0.12;
/**
 * Maximum difference in height between an edge row, such as a footer, and its repetition on the
 * next page, as a share of the page height.
 */
const maxShift = 0.03;
/** Minimum Dice similarity (0 to 1) of an edge row and its repetition. */
const likeEnough = 0.7;

/**
 * Returns the share of the edge rows of page `b` that also occur on page `a`, in similar words and
 * at the same height.
 */
function edgeSimilarity(a: PageFacts["top"], b: PageFacts["top"]): number {
  const telling = b.filter(({ text }) => text.length > 3);
  if (telling.length === 0) return 0;
  let sum = 0;
  for (const row of telling) {
    const same = a.some((other) => Math.abs(other.y - row.y) < maxShift && dice(other.text, row.text) >= likeEnough);
    if (same) sum++;
  }
  return sum / telling.length;
}

/** Returns the Dice similarity of two rows by words, which tolerates a few OCR errors. */
function dice(a: string, b: string): number {
  if (a === b) return 1;
  const [x, y] = [new Set(a.split(" ")), new Set(b.split(" "))];
  return (2 * shared(x, y)) / (x.size + y.size);
}

function labelsOf(before: PageFacts, next: PageFacts): { agree: number; conflict: number } {
  let agree = 0;
  let conflict = 0;
  for (const [label, code] of next.labelled) {
    const other = before.labelled.get(label);
    if (other === undefined) continue;
    if (other === code) agree++;
    else conflict++;
  }
  return { agree, conflict };
}
