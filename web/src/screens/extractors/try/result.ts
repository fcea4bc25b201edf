/** A result of an extraction, in the form that the screens of this folder use. */
import type { Evidence, EvidenceRecord, ExtractedRecord, ExtractionParam } from "@sheaf/client";

export interface Result {
  /** Id of the extraction; undefined if the service does not keep it. */
  id: string | undefined;
  filename: string;
  /** Number of pages; undefined until the kept extraction has been loaded. */
  pages: number | undefined;
  fields: readonly ExtractionParam[];
  data: readonly ExtractedRecord[];
  evidence: readonly EvidenceRecord[];
}

export type Value = ExtractedRecord[string];
type EvidenceOfValue = EvidenceRecord[string];

/** Encodes a name or index as a part of a JSON pointer. */
export const step = (name: string | number): string => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

export const isEvidence = (value: EvidenceOfValue | undefined): value is Evidence =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value of the result, with its path and evidence. */
export interface SelectedValue {
  /** JSON pointer into `data`, such as `/0/lines/2/amount`. */
  path: string;
  label: string;
  value: Value;
  evidence: Evidence | undefined;
}

/** Confidence below which the service marks a value for review. */
export const sureFrom = 0.9;

/** Returns the value at a path of `data`; undefined if there is none. */
export function selectedAt({ data, evidence }: Result, path: string): SelectedValue | undefined {
  const steps = path
    .split("/")
    .slice(1)
    .map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
  const value = memberAt(data, steps);
  if (value === undefined || (typeof value === "object" && value !== null)) return undefined;
  const found = memberAt(evidence, steps);
  return {
    path,
    label: steps.at(-1) ?? "",
    value: value as Value,
    evidence: isEvidence(found as EvidenceOfValue) ? (found as Evidence) : undefined,
  };
}

const memberAt = (root: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (value, each) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, each)
        ? (value as Record<string, unknown>)[each]
        : undefined,
    root,
  );

/** Returns the evidence of all values, with the names of their fields. */
export function allEvidence({ evidence }: Result): { path: string; label: string; evidence: Evidence }[] {
  const found: { path: string; label: string; evidence: Evidence }[] = [];
  const collect = (records: readonly EvidenceRecord[], path: string) => {
    for (const [index, record] of records.entries())
      for (const [label, value] of Object.entries(record)) {
        const at = `${path}${step(index)}${step(label)}`;
        if (isEvidence(value)) found.push({ path: at, label, evidence: value });
        else if (value !== null) collect(value, at);
      }
  };
  collect(evidence, "");
  return found;
}
