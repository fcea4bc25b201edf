/** A result of an extraction, as the screens of this folder show it. */
import type { Evidence, EvidenceRecord, ExtractedRecord, ExtractionParam } from "@sheaf/client";

export interface Result {
  filename: string;
  fields: readonly ExtractionParam[];
  data: readonly ExtractedRecord[];
  evidence: readonly EvidenceRecord[];
}

export type Value = ExtractedRecord[string];
type EvidenceOfValue = EvidenceRecord[string];

/** Encodes one step of a JSON pointer. */
export const step = (name: string | number): string => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

export const isEvidence = (value: EvidenceOfValue | undefined): value is Evidence =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value to look at: where it is in the result, and its evidence. */
export interface SelectedValue {
  /** JSON pointer into `data`, such as `/0/lines/2/amount`. */
  path: string;
  label: string;
  value: Value;
  evidence: Evidence | undefined;
}

/** Confidence below which the service marks a value for review. */
export const sureFrom = 0.9;
