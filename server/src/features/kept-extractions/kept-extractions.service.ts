/** Kept extractions, which people review and correct. They are removed when they expire. */
import type { EvidenceRecordJson, ExtractedRecordJson, LearnedValueJson } from "@sheaf/contract/extraction-result.ts";
import type {
  CorrectionJson,
  KeptExtractionJson,
  KeptExtractionSummaryJson,
  PutCorrectionsRequestJson,
  UpdateKeptExtractionRequestJson,
} from "@sheaf/contract/kept-extractions.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { cancel, enqueue } from "../../jobs/queue.ts";
import type { Caller, Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { type DocumentKey, documentKey } from "../documents/documents.service.ts";
import { type Download, openOriginal, pageSourceOf, removeFiles } from "../kept-files/kept-files.service.ts";
import type { PageSource } from "../pages/pages.service.ts";
import { failedRules } from "../rules/rules.service.ts";
import { applyCorrections } from "./corrections.ts";
import { filesOfKept, isKeptFile, placeOf } from "./kept-extraction-files.ts";
import * as kept from "./kept-extractions.repo.ts";
import { learnReviewed, recordReviewed, type TeachingDeps } from "./teach-extractor.ts";

export { daysToKeep, storeKeepable } from "./keep-extraction.ts";
export {
  cleanKeptJob,
  filesOfKept,
  findStrays,
  isKeptFile,
  keptPrefix,
  placeOf,
} from "./kept-extraction-files.ts";
export { dropKept, listKeptOfAgent, listReviewed, stampOfReviewed } from "./kept-extractions.repo.ts";

export interface KeptExtractionDeps {
  db: Db;
  log: Logger;
  files: StoredFiles;
}

/** Lists the kept extractions that the caller may see, oldest first, without their results. */
export async function listKeptExtractions(
  { db }: Pick<KeptExtractionDeps, "db">,
  caller: Caller,
  filter: kept.KeptFilter,
  page: PageRequest,
): Promise<ListPage<KeptExtractionSummaryJson>> {
  const rows = await kept.listKept(db, caller, filter, page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], summaryJson);
}

/** @throws AppError `not_found` */
export async function getKeptExtraction(
  { db }: Pick<KeptExtractionDeps, "db">,
  caller: Caller,
  id: string,
): Promise<KeptExtractionJson> {
  return keptJson(await findRow(db, caller, id));
}

/** A reviewed extraction. Its corrected data is the ground truth that results are compared with. */
export interface Reviewed {
  filename: string;
  params: ExtractionParam[];
  /** The result as it was extracted, before any corrections. */
  data: ExtractedRecordJson;
  evidence: EvidenceRecordJson;
  truth: ExtractedRecordJson;
  /** Place of the stored Document. */
  place: DocumentKey;
  documentKey: string;
}

/** Returns undefined if the extraction has been deleted or is no longer reviewed. */
export async function readReviewed(db: Db, caller: Principal, id: string): Promise<Reviewed | undefined> {
  const row = await kept.findKept(db, caller, id);
  if (row === undefined || row.status !== "reviewed") return undefined;
  const correctable = correctableOf(row);
  const [truth = {}] = applyCorrections(correctable, JSON.parse(row.corrections)).data;
  const [evidence = {}] = JSON.parse(row.evidence) as EvidenceRecordJson[];
  const place = placeOf(row);
  const { params, data } = correctable;
  const stored = documentKey(place);
  return { filename: row.filename, params, data: data[0] ?? {}, evidence, truth, place, documentKey: stored };
}

/** @throws AppError `not_found` */
export async function openKeptFile(
  { db, files }: Pick<KeptExtractionDeps, "db" | "files">,
  caller: Caller,
  id: string,
): Promise<Download> {
  const row = await findRow(db, caller, id);
  const download = await openOriginal(files, placeOf(row), row);
  if (download === undefined) throw notFound();
  return download;
}

/**
 * Returns the keys of the stored file and the Document, which are needed to show single pages.
 * @throws AppError `not_found`
 */
export async function getPageSource(
  { db }: Pick<KeptExtractionDeps, "db">,
  caller: Caller,
  id: string,
): Promise<PageSource> {
  const row = await findRow(db, caller, id);
  return pageSourceOf(placeOf(row), row);
}

/**
 * Replaces the corrections. An extraction that was reviewed must then be reviewed again.
 * @throws AppError `not_found`; `invalid_request` if a correction does not fit the result;
 * `conflict` if `version` is not the current version of the extraction
 */
export function putCorrections(
  { db }: Pick<KeptExtractionDeps, "db">,
  caller: Caller,
  id: string,
  { corrections, version }: PutCorrectionsRequestJson,
): Promise<KeptExtractionJson> {
  return db.transaction().execute(async (transaction) => {
    const row = await findRow(transaction, caller, id);
    const { issues } = applyCorrections(correctableOf(row), corrections);
    if (issues.length > 0) throw new AppError("invalid_request", { issues });
    const detail = { agent: row.agent_id, corrections: corrections.length };
    await recordAudit(transaction, caller, { action: "extraction.corrected", target: id, detail });
    return change(transaction, row, version, {
      corrections: JSON.stringify(corrections),
      status: "to_review",
      reviewed_by: null,
      reviewed_at: null,
    });
  });
}

/**
 * Sets the review status, and records who set it and when. The extractor learns from a review.
 * @throws AppError `not_found`; `conflict` if `version` is not the current version of the
 * extraction
 */
export async function updateKeptExtraction(
  deps: TeachingDeps,
  caller: Caller,
  id: string,
  { status, version }: UpdateKeptExtractionRequestJson,
): Promise<KeptExtractionJson> {
  const { db } = deps;
  const isReviewed = status === "reviewed";
  const seen = await findRow(db, caller, id);
  const learned = isReviewed ? await learnReviewed(deps, seen) : undefined;
  return db.transaction().execute(async (transaction) => {
    const row = await findRow(transaction, caller, id);
    const action = isReviewed ? "extraction.reviewed" : "extraction.reopened";
    await recordAudit(transaction, caller, { action, target: id, detail: { agent: row.agent_id } });
    const changed = await change(transaction, row, version ?? row.version, {
      status,
      reviewed_by: isReviewed ? caller.userId : null,
      reviewed_at: isReviewed ? now() : null,
    });
    // If the extraction was corrected while the agent was learning from it, the agent discards what
    // it learned. The next review teaches the new corrections.
    if (!learned || row.version !== seen.version) return changed;
    const taught = await recordReviewed(transaction, caller, row, learned);
    const fields = new Set(taught?.learned.map(({ field }) => field)).size;
    return taught ? { ...changed, learned: { id: taught.id, fields } } : changed;
  });
}

/** @throws AppError `conflict` if `version` is no longer the current version of the extraction */
async function change(
  transaction: Db,
  row: kept.KeptExtractionRow,
  version: number,
  changes: Omit<kept.KeptChanges, "updated_at">,
): Promise<KeptExtractionJson> {
  const changed = await kept.updateKept(transaction, { ...row, version }, { ...changes, updated_at: now() });
  if (changed) return keptJson(changed);
  const message = "The extraction has changed in the meantime; get it again and repeat the change.";
  throw new AppError("conflict", undefined, { message });
}

/**
 * Delay of the job that removes the files, in milliseconds. The job is needed only if the request
 * that deletes the extraction fails to remove the files itself.
 */
const cleanDelayMs = 60_000;

/**
 * Deletes the row of an extraction, so that nobody can read the extraction any more. Then removes
 * its files. If that fails, a job removes the files later.
 * @throws AppError `not_found`
 */
export async function deleteKeptExtraction(deps: KeptExtractionDeps, caller: Caller, id: string): Promise<void> {
  const { db, log } = deps;
  const { row, job } = await db.transaction().execute(async (transaction) => {
    const row = await findRow(transaction, caller, id);
    const job = await remove(transaction, row, cleanDelayMs);
    if (job === undefined) throw notFound();
    const detail = { agent: row.agent_id, filename: row.filename };
    await recordAudit(transaction, caller, { action: "extraction.deleted", target: id, detail });
    return { row, job };
  });
  try {
    await removeFiles(deps, placeOf(row));
    await cancel(db, job);
  } catch (error) {
    log.warn({ err: error, extraction: id }, "the files of a deleted extraction remain and will be removed by a job");
  }
}

/** Maximum number of extractions removed per transaction. */
const removedAtOnce = 100;

/**
 * Removes the rows of expired extractions, and adds jobs that remove their files. Returns the
 * number of removed extractions.
 */
export async function removeExpired(db: Db, at = now()): Promise<number> {
  for (let removed = 0; ; ) {
    const expired = await kept.listExpired(db, at, removedAtOnce);
    if (expired.length === 0) return removed;
    await db.transaction().execute(async (transaction) => {
      for (const row of expired) await remove(transaction, row, 0);
    });
    removed += expired.length;
  }
}

/**
 * Deletes the row and adds a job that removes the files. Returns the id of the job; undefined if
 * the row was already deleted.
 */
async function remove(
  transaction: Db,
  row: Parameters<typeof placeOf>[0],
  delayMs: number,
): Promise<string | undefined> {
  const { organizationId, agent: folder, document: extraction } = placeOf(row);
  if (!(await kept.deleteKept(transaction, organizationId, row.id))) return undefined;
  return enqueue(transaction, "extraction.clean", { folder, extraction }, { organizationId, delayMs });
}

/**
 * Returns one sentence for each mismatch between kept extractions and their stored files, to be
 * shown to the operator.
 */
export async function checkKept({ db, files }: { db: Db; files: StoredFiles }): Promise<string[]> {
  const rows = await kept.listAllKept(db);
  const stored = new Set<string>();
  for await (const { key } of files.list()) if (isKeptFile(key)) stored.add(key);
  return rows
    .filter((row) => filesOfKept(row).some((key) => !stored.has(key)))
    .map(({ id }) => `A file of the kept extraction ${id} is missing.`);
}

const notFound = () => new AppError("not_found", undefined, { message: "No such extraction." });

async function findRow(db: Db, caller: Caller, id: string): Promise<kept.KeptExtractionRow> {
  const row = isId(id) ? await kept.findKept(db, caller, id) : undefined;
  if (row === undefined) throw notFound();
  return row;
}

const correctableOf = ({ params, data, pages }: kept.KeptExtractionRow) => ({
  params: JSON.parse(params) as ExtractionParam[],
  data: JSON.parse(data) as ExtractedRecordJson[],
  pages,
});

const summaryJson = (row: kept.SummaryRow): KeptExtractionSummaryJson => ({
  id: row.id,
  agent_reference: row.agent_id,
  filename: row.filename,
  mime: row.mime,
  size: Number(row.size),
  pages: row.pages,
  status: row.status,
  needs_review: row.status === "to_review" && row.unsure > 0,
  values_to_review: row.unsure,
  version: row.version,
  reviewed_by: row.reviewed_by,
  reviewed_at: row.reviewed_at,
  created_at: row.created_at,
  expires_at: row.expires_at,
});

async function keptJson(row: kept.KeptExtractionRow): Promise<KeptExtractionJson> {
  const { params, data, pages } = correctableOf(row);
  const corrections = JSON.parse(row.corrections) as CorrectionJson[];
  const fromMemory = JSON.parse(row.from_memory) as LearnedValueJson[];
  const corrected = applyCorrections({ params, data, pages }, corrections).data;
  const failed = await Promise.all(corrected.map((record, index) => failedRules(params, record, undefined, index)));
  return {
    ...summaryJson(row),
    sha256: row.sha256,
    params,
    data,
    corrected_data: corrected,
    ...(failed.some(Boolean) && { failed_rules: failed.flatMap((each) => each ?? []) }),
    evidence: JSON.parse(row.evidence) as EvidenceRecordJson[],
    ...(fromMemory.length > 0 && { from_memory: fromMemory }),
    corrections,
  };
}
