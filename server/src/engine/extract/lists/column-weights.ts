/**
 * Weights of the features of a column, in logits. Made by `npm run fit -- lists` from 547 item
 * fields.
 */
import type { columnFeatures } from "./column-features.ts";

export const columnWeights: Record<(typeof columnFeatures)[number], number> = {
  words: 0.86,
  "words margin": 0.77,
  meaning: 2.28,
  "meaning margin": 2.51,
  "no heading": 0.26,
  "same text": 0.19,
  "number for number": 0.59,
  "no number for number": -2.02,
  "date for date": 1.14,
  "no date for date": -0.76,
  "mark for boolean": 0.9,
  "no mark for boolean": -0.73,
  "number for text": -1.32,
  "date for text": -1.54,
  type: 1.85,
  filled: 1.45,
  position: -1.83,
  "out of reach": -2.11,
  empty: -0.22,
  "length for text": 0.91,
  "measured for text": -0.6,
  "code for text": 0.07,
};
