/**
 * Weights of the features of a column, in logits.
 * Made by `npm run fit -- lists` from 545 item fields.
 */
import type { columnFeatures } from "./column-features.ts";

export const columnWeights: Record<(typeof columnFeatures)[number], number> = {
  intercept: 1.62,
  words: 0.34,
  "words margin": 0.72,
  meaning: 1.52,
  "meaning margin": 3.17,
  "no heading": 0.24,
  "same text": 0,
  "number for number": 0.59,
  "no number for number": -2.53,
  "date for date": 0.79,
  "no date for date": -0.64,
  "mark for boolean": 0.88,
  "no mark for boolean": -0.77,
  "number for text": -1.27,
  "date for text": -1.04,
  type: 2.04,
  filled: 0.33,
  position: -1.55,
  "out of reach": -2.16,
  empty: -0.21,
  "length for text": 0.74,
  "measured for text": -0.69,
  "code for text": 0.16,
};
