/**
 * Weights of the features of a section, in logits.
 * Made by `npm run fit -- lists` from 415 lists.
 */
import type { sectionFeatures } from "./section-features.ts";

export const sectionWeights: Record<(typeof sectionFeatures)[number], number> = {
  intercept: -9.06,
  "mean probability": 3.68,
  "least probability": 0.95,
  assigned: 0,
  "columns used": 0,
  title: 0.59,
  headings: 1.45,
  "title and headings": 2.12,
  cells: 3.58,
  rows: 4.38,
  "full rows": 0,
  sums: 0,
  "without headings": 0,
  "from table": 0.86,
  ruled: 0,
  "heading found by the reader": 0.84,
  "long cells": 0,
  "mean probability without headings": 0.59,
  "full rows without headings": 0.54,
};
