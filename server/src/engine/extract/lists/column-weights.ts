/**
 * Weights of the features of a column, in logits.
 * Made by `npm run fit -- lists` from 551 item fields.
 */
import type { columnFeatures } from "./column-features.ts";

export const columnWeights: Record<(typeof columnFeatures)[number], number> = {
  intercept: 1.48,
  words: 0.58,
  "words margin": 0.61,
  meaning: 1.82,
  "meaning margin": 3.14,
  "no heading": 0.56,
  "same text": 0.1,
  "number for number": 0.03,
  "no number for number": -2.2,
  "date for date": 0.87,
  "no date for date": -0.65,
  "mark for boolean": 0.98,
  "no mark for boolean": -0.83,
  "number for text": -1.23,
  "date for text": -0.71,
  type: 1.67,
  filled: 0.58,
  position: -1.56,
  "out of reach": -2.97,
  empty: -0.23,
  "length for text": 0.8,
  "measured for text": -0.98,
  "code for text": 0.04,
};
