/**
 * Weights of the features of a section, in logits. Made by `npm run fit -- lists` from 108 lists.
 */
import type { sectionFeatures } from "./section-features.ts";

export const sectionWeights: Record<(typeof sectionFeatures)[number], number> = {
  "mean probability": 3.53,
  "least probability": 0.86,
  assigned: -5.71,
  "columns used": -1.95,
  title: 1.55,
  headings: 4.15,
  "title and headings": 1.05,
  cells: 7.68,
  rows: 0.05,
  "full rows": -2.95,
  sums: 2.17,
  "without headings": -2.31,
  "from table": 1.57,
  ruled: -0.31,
  "heading found by the reader": 0.12,
  "long cells": -0.43,
  "mean probability without headings": 2.28,
  "full rows without headings": 1.63,
};
