/**
 * Weights of the features of a section, in logits. Fitted by `npm run fit -- lists` on 108 lists.
 */
import type { sectionFeatures } from "./section-features.ts";

export const sectionWeights: Record<(typeof sectionFeatures)[number], number> = {
  intercept: -9,
  "mean probability": 3.25,
  "least probability": 0.73,
  assigned: 0.25,
  "columns used": 0,
  title: 1.24,
  headings: 4.61,
  "title and headings": 3.03,
  cells: 5.35,
  rows: 2.28,
  "full rows": 0,
  sums: 0,
  "without headings": 0,
  "from table": 1.05,
  ruled: 0,
  "heading found by the reader": 0.13,
  "long cells": -0.47,
  "mean probability without headings": 0,
  "full rows without headings": 1.71,
};
