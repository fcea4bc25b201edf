/**
 * Weights of the features of a column, in logits. Fitted by `npm run fit -- lists` on 547 item
 * fields.
 */
import type { columnFeatures } from "./column-features.ts";

export const columnWeights: Record<(typeof columnFeatures)[number], number> = {
  intercept: 1.54,
  words: 0.58,
  "words margin": 0.78,
  meaning: 2.14,
  "meaning margin": 3.17,
  "no heading": 0.01,
  "same text": 0,
  "number for number": 0,
  "no number for number": -2.44,
  "date for date": 1.02,
  "no date for date": -0.82,
  "mark for boolean": 0.68,
  "no mark for boolean": -0.61,
  "number for text": -1.47,
  "date for text": -1.64,
  type: 1.63,
  filled: 0.84,
  position: -1.79,
  "out of reach": -2.24,
  empty: -0.34,
  "length for text": 0.42,
  "measured for text": -1.02,
  "code for text": -0.24,
};
