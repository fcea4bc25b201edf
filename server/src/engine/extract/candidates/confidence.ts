/**
 * Converts scores to the probability that a value is correct. The same logistic curve serves all
 * fields.
 */
import type { ValueKind } from "../../lexicon/all-concepts.ts";
import { confidenceWeights } from "./confidence-weights.ts";

export interface Sureness {
  /** 0 to 1: score of the chosen candidate. */
  score: number;
  /** Score of the best candidate with another value; 0 if there is none. */
  runnerUp: number;
  /** True if a check digit or a sum in the document confirms the value. */
  confirmed: boolean;
  /**
   * True if the page was read by OCR. A letter may then be wrong although the position is correct.
   */
  recognized: boolean;
  /** True for names and other texts. They have no format that shows where they begin and end. */
  formless: boolean;
}

const formlessKinds: ReadonlySet<ValueKind> = new Set(["name", "text", "address"]);
/** Returns true for kinds whose values have no fixed format. */
export const isFormless = (kind: ValueKind): boolean => formlessKinds.has(kind);

/** Returns the features in the order of `confidenceWeights`. */
export function featuresOf({ score, runnerUp, confirmed, recognized, formless }: Sureness): number[] {
  const bounded = Math.min(1, score);
  const margin = Math.max(0, bounded - runnerUp);
  return [1, bounded, margin, Number(confirmed), Number(recognized), Number(formless)];
}

const weights = Object.values(confidenceWeights);

/** Returns the confidence, 0 to 1, rounded to three decimals. */
export function toConfidence(sureness: Sureness): number {
  const logit = featuresOf(sureness).reduce((sum, feature, at) => sum + feature * (weights[at] as number), 0);
  return Math.round(1000 / (1 + Math.exp(-logit))) / 1000;
}
