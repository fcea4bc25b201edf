/**
 * From scores to the chance of being right. One monotone curve for all fields, fitted on invoices of many layouts; nothing in it knows a
 * field.
 */

export interface Sureness {
  /** 0 to 1: the winner's score. */
  score: number;
  /** The score of the best candidate with another value; 0 if there is none. */
  runnerUp: number;
  /** True where something else agrees: a check digit, a sum. */
  confirmed: boolean;
}

const intercept = -2.2;
const slopeOfScore = 4.2;
const slopeOfMargin = 1.2;
const slopeOfConfirmed = 1.1;

export function toConfidence({ score, runnerUp, confirmed }: Sureness): number {
  const margin = Math.max(0, score - runnerUp);
  const logit =
    intercept + slopeOfScore * Math.min(1, score) + slopeOfMargin * margin + (confirmed ? slopeOfConfirmed : 0);
  return Math.round((1 / (1 + Math.exp(-logit))) * 1000) / 1000;
}
