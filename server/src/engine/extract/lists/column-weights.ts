/**
 * Weights of the features of a column, in logits.
 * Made by `npm run fit -- lists` from 548 item fields.
 */
import type { columnFeatures } from "./column-features.ts";

export const columnWeights: Record<(typeof columnFeatures)[number], number> = {
  intercept: 1.14,
  words: 0.09,
  "words margin": 0.65,
  meaning: 2.27,
  "meaning margin": 3.8,
  "no heading": 0.45,
  "same text": 0,
  "number for number": 0.4,
  "no number for number": -2.39,
  "date for date": 0.86,
  "no date for date": -0.7,
  "mark for boolean": 0.67,
  "no mark for boolean": -0.6,
  "number for text": -1.54,
  "date for text": -0.62,
  type: 2.3,
  filled: 0.45,
  position: -1.48,
  "out of reach": -2.22,
  empty: -0.18,
  "length for text": 0.73,
  "measured for text": -1.15,
  "code for text": 0.43,
};
