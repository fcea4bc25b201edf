/**
 * Signs of the weights of columns and sections: positive for a feature that is evidence for a
 * column or section, and negative for one that is evidence against it.
 */
import type { columnFeatures } from "../../server/src/engine/extract/lists/column-features.ts";
import type { sectionFeatures } from "../../server/src/engine/extract/lists/section-features.ts";
import type { Sign } from "../choices.ts";

export const columnSigns: Record<(typeof columnFeatures)[number], Sign> = {
  intercept: "any",
  words: "positive",
  "words margin": "positive",
  meaning: "positive",
  "meaning margin": "positive",
  "no heading": "any",
  "same text": "positive",
  "number for number": "positive",
  "no number for number": "negative",
  "date for date": "positive",
  "no date for date": "negative",
  "mark for boolean": "positive",
  "no mark for boolean": "negative",
  "number for text": "negative",
  "date for text": "negative",
  type: "positive",
  filled: "positive",
  position: "negative",
  "out of reach": "negative",
  empty: "negative",
  "length for text": "any",
  "measured for text": "negative",
  "code for text": "any",
};

export const sectionSigns: Record<(typeof sectionFeatures)[number], Sign> = {
  intercept: "any",
  "mean probability": "positive",
  "least probability": "positive",
  assigned: "positive",
  "columns used": "positive",
  title: "positive",
  headings: "positive",
  "title and headings": "positive",
  cells: "positive",
  rows: "positive",
  "full rows": "positive",
  sums: "negative",
  "without headings": "negative",
  "from table": "positive",
  ruled: "positive",
  "heading found by the reader": "positive",
  "long cells": "negative",
  "mean probability without headings": "positive",
  "full rows without headings": "positive",
};
