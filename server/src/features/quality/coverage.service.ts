/** Coverage at a required precision, measured on the reviewed extractions of an agent. */
import { createHash } from "node:crypto";
import type { CoverageJson } from "@sheaf/contract/coverage.ts";
import { escapePointer } from "@sheaf/contract/issues.ts";
import { limits } from "@sheaf/contract/limits.ts";
import { type Precision, precisions } from "@sheaf/contract/precision.ts";
import type { EvidenceRecord, EvidenceValue, ValueRecord } from "../../engine/engine.ts";
import type { Principal } from "../../lib/caller.ts";
import type { Db } from "../../records/records.ts";
import { getExtractorReference } from "../agents/agent-lookup.service.ts";
import {
  listReviewed,
  type Reviewed,
  readReviewed,
  stampOfReviewed,
} from "../kept-extractions/kept-extractions.service.ts";
import { cellsOf, isSame } from "./cells.ts";
import { type JudgedValue, levelOf } from "./precision.ts";
import { fieldPaths } from "./scores.ts";

/**
 * Returns, for each field, the confidence above which its values are correct often enough.
 * @throws AppError `agent_not_found`, also for an agent of another type
 */
export async function getCoverage(db: Db, caller: Principal, reference: string): Promise<CoverageJson> {
  const agent = await getExtractorReference(db, caller, reference);
  const { ids } = await listReviewed(db, caller, agent, limits.maxCoverageDocuments);
  const fields = new Map<string, JudgedValue[]>();
  let documents = 0;
  for (const id of ids) {
    const reviewed = await readReviewed(db, caller, id);
    if (reviewed === undefined) continue;
    documents++;
    for (const [field, value] of judgedValues(id, reviewed)) fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return {
    documents,
    fields: [...fields].map(([path, values]) => ({
      path,
      values: values.length,
      right: values.filter(({ isRight }) => isRight).length,
      levels: precisions.map((precision) => levelOf(values, precision)),
    })),
  };
}

/**
 * Returns at most one value per field. For a field of a list, a hash of the extraction's id and the
 * path selects the row. Rows of the same document are similar, so values of several rows would not
 * be independent samples.
 */
function judgedValues(id: string, { data, evidence, truth, params }: Reviewed): Map<string, JudgedValue> {
  const known = fieldPaths(params);
  const confidences = new Map<string, number>();
  addConfidences(confidences, data, evidence, "");
  // Swaps the arguments, because the paths must refer to rows of the result here, not of the truth.
  const cells = cellsOf(data, truth, (field) => known.has(field)).filter(({ path }) => confidences.has(path));
  const found = new Map<string, JudgedValue & { order: string }>();
  for (const { path, field, truth: extracted, given: right } of cells) {
    const order = createHash("sha256").update(`${id}${path}`).digest("hex");
    const before = found.get(field);
    if (before !== undefined && before.order < order) continue;
    found.set(field, { confidence: confidences.get(path) ?? 0, isRight: isSame(extracted, right), order });
  }
  return new Map([...found].map(([field, { order: _, ...value }]) => [field, value]));
}

/** Adds the confidence of each non-null value with evidence, by its path with row indexes. */
function addConfidences(
  confidences: Map<string, number>,
  data: ValueRecord,
  evidence: EvidenceRecord,
  parent: string,
): void {
  for (const [name, value] of Object.entries(data)) {
    const path = `${parent}/${escapePointer(name)}`;
    const found: EvidenceValue = evidence[name] ?? null;
    if (Array.isArray(value))
      for (const [index, row] of value.entries())
        addConfidences(confidences, row, (Array.isArray(found) ? found[index] : undefined) ?? {}, `${path}/${index}`);
    else if (value !== null && found !== null && !Array.isArray(found)) confidences.set(path, found.confidence);
  }
}

/**
 * The threshold of each field: the lowest confidence at which the required precision is reached.
 * Null if no such confidence can be determined, for instance because there are too few reviewed
 * values.
 */
type Thresholds = ReadonlyMap<string, number | null>;

/**
 * Results of `getCoverage` kept in memory, by agent. The least recently used entry is removed
 * first.
 */
const cached = new Map<string, { stamp: string; coverage: CoverageJson }>();
/**
 * Maximum number of agents whose results are kept in memory. Each takes at most 2 KB per field.
 * Chosen by hand, 2026-11.
 */
const maxCached = 100;

/**
 * Returns the values of a result that need a review: those below the threshold of their field,
 * those of fields without a threshold, and those without evidence.
 * @returns JSON pointers that begin with `/0`, because they refer to an array whose first element
 * is the result
 */
export async function valuesToReview(
  db: Db,
  caller: Principal,
  { agent, precision }: { agent: string; precision: Precision },
  result: { data: ValueRecord; evidence: EvidenceRecord },
): Promise<string[]> {
  const stamp = await stampOfReviewed(db, caller, agent);
  const before = cached.get(agent);
  const coverage = before?.stamp === stamp ? before.coverage : await getCoverage(db, caller, agent);
  cached.delete(agent);
  cached.set(agent, { stamp, coverage });
  for (const oldest of cached.keys()) if (cached.size > maxCached) cached.delete(oldest);
  return needsReview(result.data, result.evidence, thresholdsOf(coverage, precision));
}

const thresholdsOf = ({ fields }: CoverageJson, precision: Precision): Thresholds =>
  new Map(
    fields.map(({ path, levels }) => [path, levels.find((level) => level.precision === precision)?.confidence ?? null]),
  );

/**
 * Returns the values that are below the threshold of their field, have no threshold, or have no
 * evidence.
 */
export function needsReview(data: ValueRecord, evidence: EvidenceRecord, thresholds: Thresholds): string[] {
  const paths: string[] = [];
  addUnsure(paths, { data, evidence, thresholds }, "/0", "");
  return paths;
}

function addUnsure(
  paths: string[],
  { data, evidence, thresholds }: { data: ValueRecord; evidence: EvidenceRecord; thresholds: Thresholds },
  parent: string,
  parentField: string,
): void {
  for (const [name, value] of Object.entries(data)) {
    const key = `/${escapePointer(name)}`;
    const [path, field] = [parent + key, parentField + key];
    const found: EvidenceValue = evidence[name] ?? null;
    if (Array.isArray(value)) {
      for (const [index, row] of value.entries()) {
        const ofRow = (Array.isArray(found) ? found[index] : undefined) ?? {};
        addUnsure(paths, { data: row, evidence: ofRow, thresholds }, `${path}/${index}`, field);
      }
      continue;
    }
    const threshold = thresholds.get(field) ?? null;
    const confidence = found === null || Array.isArray(found) ? 0 : found.confidence;
    if (value !== null && (threshold === null || confidence < threshold)) paths.push(path);
  }
}
