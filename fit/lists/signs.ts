/** Whether each feature speaks for a column or a section, or against it. */
import type { columnFeatures } from "../../server/src/engine/extract/lists/column-features.ts";
import type { sectionFeatures } from "../../server/src/engine/extract/lists/section-features.ts";
import type { Sign } from "./softmax.ts";

export const columnSigns: Record<(typeof columnFeatures)[number], Sign> = {
  "any column": "either",
  words: "for",
  "words margin": "for",
  meaning: "for",
  "meaning margin": "for",
  "no heading": "either",
  "same text": "for",
  "number for number": "for",
  "no number for number": "against",
  "date for date": "for",
  "no date for date": "against",
  "mark for boolean": "for",
  "no mark for boolean": "against",
  "number for text": "against",
  "date for text": "against",
  type: "for",
  filled: "for",
  position: "against",
  "out of reach": "against",
  empty: "against",
  "length for text": "either",
  "measured for text": "against",
  "code for text": "either",
};

export const sectionSigns: Record<(typeof sectionFeatures)[number], Sign> = {
  "any section": "either",
  "mean probability": "for",
  "least probability": "for",
  assigned: "for",
  "columns used": "for",
  title: "for",
  headings: "for",
  "title and headings": "for",
  cells: "for",
  rows: "for",
  "full rows": "for",
  sums: "against",
  "without headings": "against",
  "from table": "for",
  ruled: "for",
  "heading found by the reader": "for",
  "long cells": "against",
  "mean probability without headings": "for",
  "full rows without headings": "for",
};
