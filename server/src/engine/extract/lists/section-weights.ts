/**
 * Weights of the features of a section, in logits.
 * Made by `npm run fit -- lists` from 415 lists.
 */
import type { sectionFeatures } from "./section-features.ts";

export const sectionWeights: Record<(typeof sectionFeatures)[number], number> = {
  intercept: -8.95,
  "mean probability": 4.48,
  "least probability": 0,
  assigned: 0,
  "columns used": 0,
  title: 1.36,
  headings: 1.59,
  "title and headings": 0.97,
  cells: 3.32,
  rows: 3.89,
  "full rows": 0,
  sums: 0,
  "without headings": 0,
  "from table": 1.58,
  ruled: 0,
  "heading found by the reader": 0.64,
  "long cells": 0,
  "mean probability without headings": 0.02,
  "full rows without headings": 0.95,
};
