/**
 * Weights of the features of a section, in logits.
 * Made by `npm run fit -- lists` from 415 lists.
 */
import type { sectionFeatures } from "./section-features.ts";

export const sectionWeights: Record<(typeof sectionFeatures)[number], number> = {
  intercept: -8.92,
  "mean probability": 4.06,
  "least probability": 0.67,
  assigned: 0,
  "columns used": 0,
  title: 1.33,
  headings: 1.98,
  "title and headings": 1.12,
  cells: 3.4,
  rows: 4.38,
  "full rows": 0,
  sums: 0,
  "without headings": 0,
  "from table": 1.04,
  ruled: 0,
  "heading found by the reader": 0.8,
  "long cells": 0,
  "mean probability without headings": 0.3,
  "full rows without headings": 0.54,
};
