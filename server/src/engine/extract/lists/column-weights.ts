/**
 * Weights of the features of a column, in logits.
 * Made by `npm run fit -- lists` from 545 item fields.
 */
import type { columnFeatures } from "./column-features.ts";

export const columnWeights: Record<(typeof columnFeatures)[number], number> = {
  intercept: 1.73,
  words: 0.4,
  "words margin": 0.66,
  meaning: 1.25,
  "meaning margin": 3.29,
  "no heading": 0.24,
  "same text": 0,
  "number for number": 0.58,
  "no number for number": -2.35,
  "date for date": 1.11,
  "no date for date": -0.97,
  "mark for boolean": 0.79,
  "no mark for boolean": -0.67,
  "number for text": -1.28,
  "date for text": -0.95,
  type: 1.88,
  filled: 0.33,
  position: -1.51,
  "out of reach": -2.33,
  empty: -0.18,
  "length for text": 0.85,
  "measured for text": -0.73,
  "code for text": 0.38,
};
