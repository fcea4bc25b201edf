/**
 * Weights of the features of a column, in logits.
 * Made by `npm run fit -- lists` from 545 item fields.
 */
import type { columnFeatures } from "./column-features.ts";

export const columnWeights: Record<(typeof columnFeatures)[number], number> = {
  intercept: 1.71,
  words: 0.31,
  "words margin": 0.66,
  meaning: 1.77,
  "meaning margin": 3.02,
  "no heading": 0.37,
  "same text": 0.04,
  "number for number": 0.48,
  "no number for number": -2.47,
  "date for date": 0.9,
  "no date for date": -0.76,
  "mark for boolean": 0.71,
  "no mark for boolean": -0.61,
  "number for text": -1.26,
  "date for text": -1,
  type: 2.02,
  filled: 0.22,
  position: -1.56,
  "out of reach": -2.3,
  empty: -0.24,
  "length for text": 0.73,
  "measured for text": -0.95,
  "code for text": 0.19,
};
