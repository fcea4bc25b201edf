/**
 * Extracts from a document over HTTP, and measures whether the confidence of its values is
 * justified.
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { EvidenceRecord, ValueRecord } from "../../server/src/engine/engine.ts";
import type { Target } from "../service-target.ts";
import { binsOf, calibrationError, type Judged } from "./calibration.ts";
import { leavesOf } from "./evidence-check.ts";

/** Minimum confidence at which a value should need no review. */
const trusted = 0.9;

export interface Extracted {
  data: ValueRecord;
  evidence: EvidenceRecord;
}

export interface Given {
  /** The document and the field, as `document field`. */
  key: string;
  confidence: number;
}

/** @param missed fields whose value is wrong, as `document field` */
export function printCalibration(given: readonly Given[], missed: ReadonlySet<string>): void {
  const judged: Judged[] = given.map(({ key, confidence }) => ({ confidence, right: !missed.has(key) }));
  const sure = judged.filter(({ confidence }) => confidence >= trusted);
  console.log(
    `calibration   expected error ${calibrationError(binsOf(judged, 10)).toFixed(4)} over ${judged.length} values; ` +
      `${sure.filter(({ right }) => right).length} of ${sure.length} right at a confidence of ${trusted} or more`,
  );
}

export async function extract(
  { url, token }: Target,
  path: string,
  params: readonly ExtractionParam[],
): Promise<Extracted> {
  const body = {
    filename: basename(path),
    file: (await readFile(path)).toString("base64"),
    params,
    include: ["evidence"],
  };
  const response = await fetch(`${url}/v2/extractor`, {
    method: "POST",
    headers: { "x-api-key": token, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data?: ValueRecord[]; metadata?: { evidence?: EvidenceRecord[] } };
  if (!response.ok) console.log(`${basename(path)}: ${response.status} ${JSON.stringify(answer)}`);
  return { data: answer.data?.[0] ?? {}, evidence: answer.metadata?.evidence?.[0] ?? {} };
}

/** Returns the values of a document, without nulls and lists. */
export const valuesOf = (
  document: string,
  { data, evidence }: Extracted,
  params: readonly ExtractionParam[],
): Given[] =>
  params
    .filter(({ format }) => format !== "list")
    .flatMap(({ name }) => leavesOf(data[name] ?? null, evidence[name] ?? null, [name]))
    .flatMap(({ path, evidence }) =>
      evidence ? [{ key: `${document} ${path}`, confidence: evidence.confidence }] : [],
    );
