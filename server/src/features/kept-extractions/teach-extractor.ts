/** Teaches an extractor agent from a kept extraction. */
import type { TaughtPaperJson, TeachRequestJson } from "@sheaf/contract/corrections.ts";
import type { EvidenceRecordJson, ExtractedRecordJson } from "@sheaf/contract/extraction-result.ts";
import type { CorrectionJson } from "@sheaf/contract/kept-extractions.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Engine } from "../../engine/engine.ts";
import type { LearnResult, TaughtPaper } from "../../engine/memory.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Caller } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { getExtractor } from "../agents/agent-lookup.service.ts";
import { readStoredDocument } from "../documents/documents.service.ts";
import { type Learner, memoryOf, recordLesson } from "../learning/learning.service.ts";
import { engineError } from "../models/models.service.ts";
import { applyCorrections } from "./corrections.ts";
import { placeOf } from "./kept-extraction-files.ts";
import { findKept, type KeptExtractionRow } from "./kept-extractions.repo.ts";
import { correctedFields, taughtValues } from "./taught-values.ts";

export interface TeachingDeps {
  db: Db;
  log: Logger;
  files: StoredFiles;
  engine: Pick<Engine, "learn">;
}

/**
 * Maximum time to learn from one document, in milliseconds. Learning from a page takes about 20 ms.
 */
const maxMs = 20_000;

/**
 * Teaches the agent the fields that the corrections name.
 * @throws AppError `agent_not_found`; `not_found` if the agent has no such kept extraction;
 * `invalid_request` if a correction does not fit the result; `extraction_failed`
 */
export async function teachExtractor(
  deps: TeachingDeps,
  caller: Caller,
  reference: string,
  { extraction_id, corrections }: TeachRequestJson,
  atCommit?: AtCommit<TaughtPaperJson>,
): Promise<TaughtPaperJson> {
  const { db } = deps;
  const agent = await getExtractor(db, caller, reference);
  const row = isId(extraction_id) ? await findKept(db, caller, extraction_id) : undefined;
  if (row?.agent_id !== agent.reference)
    throw new AppError("not_found", undefined, { message: "The extractor has no such kept extraction." });
  const paper = paperOf(row, corrections);
  if (paper.issues.length > 0) throw new AppError("invalid_request", { issues: paper.issues });
  const result = await learn(deps, row, taughtValues(paper, correctedFields(corrections)));
  const learner = learnerOf(row, agent.reference);
  return db.transaction().execute(async (transaction) => {
    // The agent may have been deleted while it was learning.
    await getExtractor(transaction, caller, reference);
    const lesson = { extractionId: row.id, filename: row.filename, source: "correction", result } as const;
    const taught = await recordLesson(transaction, caller, learner, lesson);
    await atCommit?.(transaction, taught);
    return taught;
  });
}

/**
 * Learns all values of an extraction that is being reviewed. Returns undefined if it has no agent.
 * Also returns undefined if learning fails, because that must not make the review fail.
 */
export async function learnReviewed(deps: TeachingDeps, row: KeptExtractionRow): Promise<LearnResult | undefined> {
  if (row.agent_id === null) return undefined;
  try {
    return await learn(deps, row, taughtValues(paperOf(row, JSON.parse(row.corrections) as CorrectionJson[])));
  } catch (error) {
    deps.log.warn({ err: error, extraction: row.id }, "nothing was learned from a reviewed extraction");
    return undefined;
  }
}

/**
 * Stores what was learned from a review. Returns undefined if the agent was deleted while it was
 * learning.
 */
export async function recordReviewed(
  transaction: Db,
  caller: Caller,
  row: KeptExtractionRow,
  result: LearnResult,
): Promise<TaughtPaperJson | undefined> {
  if (row.agent_id === null) return undefined;
  const lesson = { extractionId: row.id, filename: row.filename, source: "review", result } as const;
  return recordLesson(transaction, caller, learnerOf(row, row.agent_id), lesson);
}

const learnerOf = ({ organization_id }: KeptExtractionRow, agentId: string): Learner => ({
  organizationId: organization_id,
  agentId,
});

function paperOf(row: KeptExtractionRow, corrections: readonly CorrectionJson[]) {
  const params = JSON.parse(row.params) as ExtractionParam[];
  const data = JSON.parse(row.data) as ExtractedRecordJson[];
  const evidence = JSON.parse(row.evidence) as EvidenceRecordJson[];
  const { data: corrected, issues } = applyCorrections({ params, data, pages: row.pages }, corrections);
  return { params, data, corrected, evidence, corrections, issues };
}

async function learn(
  { db, files, engine }: TeachingDeps,
  row: KeptExtractionRow,
  taught: TaughtPaper,
): Promise<LearnResult> {
  const document = await readStoredDocument(files, placeOf(row));
  const params = JSON.parse(row.params) as ExtractionParam[];
  const known = await memoryOf(db, learnerOf(row, row.agent_id ?? ""));
  const memory = known;
  try {
    return await engine.learn({ document, params, taught, memory }, AbortSignal.timeout(maxMs));
  } catch (error) {
    throw engineError(error, "extraction_failed") ?? error;
  }
}
