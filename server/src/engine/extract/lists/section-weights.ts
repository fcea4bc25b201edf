/**
 * Weights of the features of a section, in logits.
 * Made by `npm run fit -- lists` from 415 lists.
 */
import type { sectionFeatures } from "./section-features.ts";

export const sectionWeights: Record<(typeof sectionFeatures)[number], number> = {
  intercept: -9.16,
  "mean probability": 3.87,
  "least probability": 0.68,
  assigned: 0,
  "columns used": 0,
  title: 1.46,
  headings: 1.45,
  "title and headings": 1.49,
  cells: 3.72,
  rows: 4.51,
  "full rows": 0,
  sums: 0,
  "without headings": 0,
  "from table": 1.05,
  ruled: 0,
  "heading found by the reader": 0.74,
  "long cells": 0,
  "mean probability without headings": 0.2,
  "full rows without headings": 0.62,
};
