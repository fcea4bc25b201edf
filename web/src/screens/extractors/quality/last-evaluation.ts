/**
 * Stores the last evaluation of an extractor in the browser, because the service does not store
 * evaluations. It contains numbers and names of fields, but no values.
 */
import type { Evaluation, Score } from "@sheaf/client";

export interface LastEvaluation {
  /** Time of the evaluation, in ISO 8601. */
  at: string;
  /** Number of the version that was evaluated; null if it is unknown. */
  version: number | null;
  documents: number;
  reviewed: number;
  total: Score;
  fields: readonly { path: string; score: Score }[];
  /** Paths of fields for which no evaluated document has a known correct value. */
  withoutTruth: readonly string[];
}

const keyOf = (organizationId: string, reference: string) => `sheaf.evaluation.${organizationId}.${reference}`;

/**
 * Extracts the scores of the current configuration from an evaluation, where they are called
 * `after`.
 */
export const lastEvaluationOf = (evaluation: Evaluation, version: number | null): LastEvaluation => ({
  at: new Date().toISOString(),
  version,
  documents: evaluation.documents,
  reviewed: evaluation.reviewed,
  total: evaluation.after,
  fields: evaluation.fields.map(({ path, after }) => ({ path, score: after })),
  withoutTruth: evaluation.without_truth,
});

export function readLastEvaluation(organizationId: string, reference: string): LastEvaluation | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(organizationId, reference)) ?? "null");
    return isEvaluation(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores an evaluation. If the browser refuses, does nothing, because the screen also works without
 * a stored evaluation.
 */
export function storeLastEvaluation(organizationId: string, reference: string, evaluation: LastEvaluation): void {
  try {
    localStorage.setItem(keyOf(organizationId, reference), JSON.stringify(evaluation));
  } catch {}
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isScore = (value: unknown): value is Score =>
  isRecord(value) &&
  (value.f1 === null || typeof value.f1 === "number") &&
  [value.right, value.wrong, value.missing].every(Number.isInteger);

const isEvaluation = (value: unknown): value is LastEvaluation =>
  isRecord(value) &&
  typeof value.at === "string" &&
  !Number.isNaN(Date.parse(value.at)) &&
  (value.version === null || Number.isInteger(value.version)) &&
  Number.isInteger(value.documents) &&
  Number.isInteger(value.reviewed) &&
  isScore(value.total) &&
  Array.isArray(value.fields) &&
  value.fields.every((each) => isRecord(each) && typeof each.path === "string" && isScore(each.score)) &&
  Array.isArray(value.withoutTruth) &&
  value.withoutTruth.every((each) => typeof each === "string");
