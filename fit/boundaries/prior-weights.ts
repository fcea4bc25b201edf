/**
 * Weights in logits. The fit changes them only as far as the examples require, because most
 * features are rare. In 2026-11, they were chosen by hand and then fitted to joined documents. No
 * list of these documents was kept.
 */
import type { BoundaryFeatures } from "../../server/src/engine/classify/boundary-weights.ts";

export const priorWeights: BoundaryFeatures = {
  follows: -2.16,
  followsOf: -1.19,
  followsBare: -0.63,
  first: 3.6,
  firstBare: 1.18,
  breaks: 0.12,
  breaksBare: 0.49,
  lastBefore: 1.77,
  unfinished: -1.09,
  second: -1.48,
  later: -0.89,
  ended: 0.42,
  firstBySecond: 1.01,
  head: -0.7,
  foot: -0.28,
  codes: -0.71,
  labelAgrees: -0.84,
  labelConflicts: 1.34,
  vocabulary: -2.68,
  wordsApart: 0.73,
  wordsAhead: 1.43,
  wordsBehind: -0.19,
  edgesAhead: 1.04,
  rows: -0.16,
  pageSize: 3.51,
  flow: -1.88,
  margins: 0.18,
  rightMargins: 0.37,
  language: 1.36,
  headlineAfterProse: 0.6,
  prose: 0.45,
  bothProse: -0.41,
  title: 1.53,
  titleBefore: -1.17,
  titleAgain: -0.14,
  titleOfOther: 0.79,
  closedBoth: 0.36,
  salutation: 0.7,
  date: 1.11,
  contact: 1.76,
  closing: 0.92,
  shortBefore: 0.65,
  shortNext: -0.25,
  open: -0.93,
  startsOpen: -0.41,
  continued: -0.64,
  blank: 0.81,
};

export const priorBias = -1.66;
