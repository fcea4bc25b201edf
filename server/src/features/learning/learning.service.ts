/**
 * Stores what extractor agents learn from documents, such as invoices, whose correct values a
 * person has provided. The code calls such a document a paper.
 */
import type {
  ExportedMemoryJson,
  ExportedPaperJson,
  LearnedPaperJson,
  TaughtPaperJson,
} from "@sheaf/contract/corrections.ts";
import type { LearnedValueJson } from "@sheaf/contract/extraction-result.ts";
import { escapePointer } from "@sheaf/contract/issues.ts";
import { limits } from "@sheaf/contract/limits.ts";
import type { RecalledField } from "../../engine/engine.ts";
import type { LearnedPaper, LearnResult } from "../../engine/memory.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { getExtractorReference, lockAgentOfAny } from "../agents/agent-lookup.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as learning from "./learning.repo.ts";

export type { Learner } from "./learning.repo.ts";

interface LearningDeps {
  db: Db;
}

/** Returns what an agent has learned, oldest first, as the engine needs it. */
export const memoryOf = (db: Db, learner: learning.Learner): Promise<LearnedPaper[]> =>
  learning.listMemory(db, learner);

/**
 * Counts one use of each of the given learned documents. Runs outside the transaction of the
 * extraction, so that parallel extractions do not wait for each other. A failure is only logged.
 */
export async function countUses(
  db: Db,
  log: Logger | undefined,
  learner: learning.Learner,
  ids: readonly string[],
): Promise<void> {
  try {
    const at = now();
    for (const id of ids) await learning.countUse(db, learner, id, at);
  } catch (error) {
    log?.warn({ err: error, agent: learner.agentId }, "the use of learned papers was not counted");
  }
}

/**
 * Returns the values that were recalled, with the documents from which they were learned. Leaves
 * out values whose document was forgotten during the extraction.
 */
export async function fromMemoryOf(
  db: Db,
  learner: learning.Learner,
  recalled: readonly RecalledField[],
): Promise<LearnedValueJson[]> {
  const ids = [...new Set(recalled.map(({ paper }) => paper))];
  const rows = new Map((await learning.listOrigins(db, learner, ids)).map((row) => [row.id, row]));
  return recalled.flatMap(({ field, paper }) => {
    const row = rows.get(paper);
    if (row === undefined) return [];
    const { id, filename, created_at } = row;
    return { path: `/0/${escapePointer(field)}`, learned_id: id, filename, learned_at: created_at };
  });
}

/** A document that an agent learns from. */
export interface Lesson {
  extractionId: string;
  filename: string;
  source: "correction" | "review";
  result: LearnResult;
}

/**
 * Stores what was learned from an extraction. It replaces what was learned earlier from the same
 * extraction.
 */
export async function recordLesson(
  transaction: Db,
  caller: Caller,
  learner: learning.Learner,
  { extractionId, filename, source, result }: Lesson,
): Promise<TaughtPaperJson> {
  await lockAgentOfAny(transaction, learner.agentId);
  await learning.deleteOfExtraction(transaction, learner, extractionId);
  const row: learning.LearnedRow = {
    id: newId(),
    organization_id: learner.organizationId,
    agent_id: learner.agentId,
    extraction_id: extractionId,
    source,
    filename,
    facts: JSON.stringify(result.facts.slice(0, limits.maxLearnedFacts)),
    ...result.paper,
    times_used: 0,
    last_used_at: null,
    created_at: now(),
  };
  await learning.insertLearned(transaction, row);
  await learning.dropUnused(transaction, learner, limits.maxLearnedPapers);
  const detail = { id: row.id, extraction: extractionId, source, fields: result.facts.length };
  await recordAudit(transaction, caller, { action: "extractor.taught", target: learner.agentId, detail });
  return { ...paperJson(row), not_found: result.notFound };
}

/** @throws AppError `agent_not_found` */
export async function listLearned(
  { db }: LearningDeps,
  caller: Caller,
  reference: string,
  page: PageRequest,
): Promise<ListPage<LearnedPaperJson>> {
  const rows = await learning.listLearned(db, await learnerOf(db, caller, reference), page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], paperJson);
}

/**
 * Undoes what was learned from one document.
 * @throws AppError `agent_not_found`, `not_found`
 */
export function deleteLearned({ db }: LearningDeps, caller: Caller, reference: string, id: string): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const learner = await learnerOf(transaction, caller, reference);
    if (!isId(id) || !(await learning.deleteLearned(transaction, learner, id)))
      throw new AppError("not_found", undefined, {
        message: "The extractor has not learned from a document with this id.",
      });
    await recordAudit(transaction, caller, { action: "extractor.unlearned", target: learner.agentId, detail: { id } });
  });
}

/**
 * Undoes everything that an agent has learned. Returns the number of documents that it had learned
 * from.
 * @throws AppError `agent_not_found`
 */
export function deleteAllLearned({ db }: LearningDeps, caller: Caller, reference: string): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const learner = await learnerOf(transaction, caller, reference);
    const removed = await learning.deleteAll(transaction, learner);
    const detail = { removed };
    await recordAudit(transaction, caller, { action: "extractor.unlearned", target: learner.agentId, detail });
    return removed;
  });
}

/** @throws AppError `agent_not_found` */
export async function exportLearned(
  { db }: LearningDeps,
  caller: Caller,
  reference: string,
): Promise<ExportedMemoryJson> {
  const rows = await learning.listAll(db, await learnerOf(db, caller, reference));
  return {
    papers: rows.map((row) => ({
      id: row.id,
      filename: row.filename,
      created_at: row.created_at,
      learned: JSON.parse(row.facts),
      skeleton: row.skeleton,
      ...(JSON.parse(row.anchors) as Pick<ExportedPaperJson, "fields" | "checks">),
    })),
  };
}

/**
 * Imports exported documents in the order in which they were learned. Each document gets a new id.
 * References to the old id in the checks of other documents are updated.
 * @throws AppError `agent_not_found`
 */
export function importLearned(
  { db }: LearningDeps,
  caller: Caller,
  reference: string,
  { papers }: ExportedMemoryJson,
  atCommit?: AtCommit<number>,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const learner = await learnerOf(transaction, caller, reference);
    await lockAgentOfAny(transaction, learner.agentId);
    const ids = new Map(papers.map(({ id }) => [id, newId()]));
    const begin = Date.now();
    for (const [at, { id, filename, learned, skeleton, fields, checks }] of papers.entries())
      await learning.insertLearned(transaction, {
        id: ids.get(id) ?? newId(),
        organization_id: learner.organizationId,
        agent_id: learner.agentId,
        extraction_id: null,
        source: "import",
        filename,
        facts: JSON.stringify(learned),
        skeleton,
        anchors: JSON.stringify({ fields, checks: renamed(checks, ids) }),
        times_used: 0,
        last_used_at: null,
        // Times are one millisecond apart to keep the order of learning.
        created_at: new Date(begin + at).toISOString(),
      });
    await learning.dropUnused(transaction, learner, limits.maxLearnedPapers);
    const detail = { imported: papers.length };
    await recordAudit(transaction, caller, { action: "extractor.taught", target: learner.agentId, detail });
    await atCommit?.(transaction, papers.length);
    return papers.length;
  });
}

const renamed = <Checks>(checks: Record<string, Checks>, ids: ReadonlyMap<string, string>): Record<string, Checks> =>
  Object.fromEntries(Object.entries(checks).flatMap(([id, check]) => (ids.has(id) ? [[ids.get(id), check]] : [])));

async function learnerOf(db: Db, caller: Caller, reference: string): Promise<learning.Learner> {
  return { organizationId: caller.organizationId, agentId: await getExtractorReference(db, caller, reference) };
}

const paperJson = (row: learning.LearnedRow): LearnedPaperJson => ({
  id: row.id,
  filename: row.filename,
  source: row.source,
  extraction_id: row.extraction_id,
  learned: JSON.parse(row.facts) as LearnedPaperJson["learned"],
  times_used: row.times_used,
  last_used_at: row.last_used_at,
  created_at: row.created_at,
});
