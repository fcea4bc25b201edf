/**
 * From scores to the chance of being right: one logistic curve for all fields, fitted on invoices, broadcast orders, receipts and forms
 * (2,100 values) and held a little below the fit, since other papers are harder. Nothing in it knows a field.
 */

export interface Sureness {
  /** 0 to 1: the winner's score. */
  score: number;
  /** The score of the best candidate with another value; 0 if there is none. */
  runnerUp: number;
  /** True where something else agrees: a check digit, a sum. */
  confirmed: boolean;
  /** True where the page was recognized from pixels: a letter may be wrong though the place is right. */
  recognized: boolean;
}

const intercept = -0.4;
const slopeOfScore = 2.4;
const slopeOfMargin = 2.1;
const slopeOfConfirmed = 2.6;
const slopeOfRecognized = -0.7;

/** 0 to 1, in steps of a thousandth. */
export function toConfidence({ score, runnerUp, confirmed, recognized }: Sureness): number {
  const bounded = Math.min(1, score);
  const margin = Math.max(0, bounded - runnerUp);
  const logit =
    intercept +
    slopeOfScore * bounded +
    slopeOfMargin * margin +
    (confirmed ? slopeOfConfirmed : 0) +
    (recognized ? slopeOfRecognized : 0);
  return Math.round(1000 / (1 + Math.exp(-logit))) / 1000;
}
