/**
 * Weights, in logits, of the features of a boundary between two pages. `npm run fit -- boundaries`
 * computes them from 239 pairs of pages in files that consist of several documents.
 */
export const boundaryWeights = {
  follows: -2.17,
  followsOf: -1.2,
  followsBare: -0.66,
  first: 3.4,
  firstBare: 1.18,
  breaks: 0.05,
  breaksBare: 0.51,
  lastBefore: 1.78,
  unfinished: -1.01,
  second: -1.53,
  later: -0.7,
  ended: 0.5,
  firstBySecond: 0.99,
  head: -0.71,
  foot: -0.29,
  codes: -0.89,
  labelAgrees: -0.85,
  labelConflicts: 1.34,
  vocabulary: -2.86,
  wordsApart: 1.19,
  wordsAhead: 1.49,
  wordsBehind: -0.29,
  edgesAhead: 1.04,
  rows: -0.21,
  pageSize: 3.57,
  flow: -1.88,
  margins: 0.24,
  rightMargins: 0.5,
  language: 1.24,
  headlineAfterProse: 0.79,
  prose: 0.25,
  bothProse: -0.48,
  title: 1.73,
  titleBefore: -1.01,
  titleAgain: -0.17,
  titleOfOther: 0.79,
  closedBoth: 0.36,
  salutation: 0.78,
  date: 1.43,
  contact: 1.88,
  closing: 0.71,
  shortBefore: 1.1,
  shortNext: -0.72,
  open: -0.97,
  startsOpen: -0.43,
  continued: -0.36,
  blank: 0.81,
};

export type BoundaryFeatures = Record<keyof typeof boundaryWeights, number>;

/** Log odds of a boundary if all features are 0. */
export const boundaryBias = -1.6;
