/**
 * Weights of the features of a section, in logits.
 * Made by `npm run fit -- lists` from 108 lists.
 */
import type { sectionFeatures } from "./section-features.ts";

export const sectionWeights: Record<(typeof sectionFeatures)[number], number> = {
  intercept: -9.26,
  "mean probability": 3.28,
  "least probability": 0.62,
  assigned: 1.44,
  "columns used": 0.06,
  title: 1.03,
  headings: 4.78,
  "title and headings": 3.11,
  cells: 4.56,
  rows: 2.16,
  "full rows": 0,
  sums: 0,
  "without headings": -0.19,
  "from table": 1.07,
  ruled: 0,
  "heading found by the reader": 0,
  "long cells": -0.45,
  "mean probability without headings": 0,
  "full rows without headings": 1.86,
};
