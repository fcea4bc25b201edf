/**
 * Weights of the features of a section, in logits.
 * Made by `npm run fit -- lists` from 415 lists.
 */
import type { sectionFeatures } from "./section-features.ts";

export const sectionWeights: Record<(typeof sectionFeatures)[number], number> = {
  intercept: -8.94,
  "mean probability": 4.03,
  "least probability": 0.6,
  assigned: 0,
  "columns used": 0,
  title: 1.49,
  headings: 1.47,
  "title and headings": 1.45,
  cells: 3.54,
  rows: 4.32,
  "full rows": 0,
  sums: 0,
  "without headings": 0,
  "from table": 0.99,
  ruled: 0,
  "heading found by the reader": 0.74,
  "long cells": 0,
  "mean probability without headings": 0.47,
  "full rows without headings": 0.42,
};
