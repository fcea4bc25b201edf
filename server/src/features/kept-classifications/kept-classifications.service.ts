/**
 * Kept classifications, whose segments people correct and download. The files are stored first.
 * Then the row is inserted, in the transaction that records the result.
 */
import type { ClassificationJson } from "@sheaf/contract/classification.ts";
import type {
  CorrectedSegmentJson,
  KeptClassificationJson,
  KeptClassificationSummaryJson,
  PutSegmentsRequestJson,
} from "@sheaf/contract/kept-classifications.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { cancel, enqueue } from "../../jobs/queue.ts";
import { type Caller, ownUser, type Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Document } from "../../reading/document.ts";
import type { PageRange } from "../../reading/reader.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import {
  type Download,
  digestOf,
  type KeptFilesDeps,
  openOriginal,
  pageSourceOf,
  removeFiles,
  storeFiles,
} from "../kept-files/kept-files.service.ts";
import type { PageSource } from "../pages/pages.service.ts";
import { filesOfKeptClassification, isKeptClassificationFile, placeOf } from "./kept-classification-files.ts";
import * as kept from "./kept-classifications.repo.ts";
import { segmentFilename, segmentIssues } from "./segments.ts";

export {
  cleanKeptClassificationJob,
  filesOfKeptClassification,
  findStrays,
  isKeptClassificationFile,
} from "./kept-classification-files.ts";
export { dropKeptClassifications } from "./kept-classifications.repo.ts";

export interface KeptClassificationDeps {
  db: Db;
  log: Logger;
  files: StoredFiles;
}

const dayMs = 86_400_000;

/** A classification that has ended but is not recorded yet. */
export interface Keepable {
  /** The id of the operation. */
  id: string;
  days: number;
  file: { path: string; filename: string };
  document: Document;
  data: ClassificationJson;
}

/** A kept classification whose files are stored. Dispose of it when the transaction has ended. */
export interface StoredKeepable extends AsyncDisposable {
  record(transaction: Db): Promise<void>;
}

export async function storeKeepable(
  deps: KeptFilesDeps,
  principal: Principal,
  { id, days, file, document, data }: Keepable,
): Promise<StoredKeepable> {
  const place = placeOf({ id, organization_id: principal.organizationId });
  const { size, sha256 } = await digestOf(file.path);
  const stored = await storeFiles(deps, place, { path: file.path, document });
  return {
    record: (transaction) => {
      const at = now();
      return kept.insertKept(transaction, {
        id,
        organization_id: principal.organizationId,
        channel: principal.channel === "app" ? "app" : "api",
        user_id: ownUser(principal),
        filename: file.filename,
        mime: document.mime,
        size,
        sha256,
        pages: document.pages.length,
        data: JSON.stringify(data),
        corrected_segments: null,
        version: 1,
        created_at: at,
        updated_at: at,
        expires_at: new Date(Date.now() + days * dayMs).toISOString(),
      });
    },
    [Symbol.asyncDispose]: async () => stored[Symbol.asyncDispose](),
  };
}

/** Lists the kept classifications that the caller may see, oldest first, without their results. */
export async function listKeptClassifications(
  { db }: Pick<KeptClassificationDeps, "db">,
  caller: Caller,
  page: PageRequest,
): Promise<ListPage<KeptClassificationSummaryJson>> {
  const rows = await kept.listKept(db, caller, page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], summaryJson);
}

/** @throws AppError `not_found` */
export async function getKeptClassification(
  { db }: Pick<KeptClassificationDeps, "db">,
  caller: Caller,
  id: string,
): Promise<KeptClassificationJson> {
  return keptJson(await findRow(db, caller, id));
}

/** @throws AppError `not_found` */
export async function openKeptFile(
  { db, files }: Pick<KeptClassificationDeps, "db" | "files">,
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
  { db }: Pick<KeptClassificationDeps, "db">,
  caller: Caller,
  id: string,
): Promise<PageSource> {
  const row = await findRow(db, caller, id);
  return pageSourceOf(placeOf(row), row);
}

/** The pages of a segment, and the name of the PDF file that is made from them. */
export interface SegmentSource {
  source: PageSource;
  range: PageRange;
  filename: string;
}

/**
 * @param index index of the segment, as text from the path of the request
 * @throws AppError `not_found`
 */
export async function getSegmentSource(
  { db }: Pick<KeptClassificationDeps, "db">,
  caller: Caller,
  id: string,
  index: string,
): Promise<SegmentSource> {
  const row = await findRow(db, caller, id);
  const at = /^(0|[1-9]\d{0,8})$/.test(index) ? Number(index) : -1;
  const segment = segmentsOf(row)[at];
  if (segment === undefined) throw new AppError("not_found", undefined, { message: "No such segment." });
  const range = { from: segment.start, to: segment.end };
  return { source: pageSourceOf(placeOf(row), row), range, filename: segmentFilename(segment, at) };
}

/**
 * Replaces the segments.
 * @throws AppError `not_found`; `invalid_request` if a page is in no segment or in several;
 * `conflict` if `version` is not the current version of the classification
 */
export function putSegments(
  { db }: Pick<KeptClassificationDeps, "db">,
  caller: Caller,
  id: string,
  { segments, version }: PutSegmentsRequestJson,
): Promise<KeptClassificationJson> {
  return db.transaction().execute(async (transaction) => {
    const row = await findRow(transaction, caller, id);
    const issues = segmentIssues(segments, row.pages);
    if (issues.length > 0) throw new AppError("invalid_request", { issues });
    const detail = { segments: segments.length };
    await recordAudit(transaction, caller, { action: "classification.corrected", target: id, detail });
    const changed = await kept.updateSegments(transaction, { ...row, version }, JSON.stringify(segments));
    if (changed) return keptJson(changed);
    const message = "The classification has changed in the meantime; get it again and repeat the change.";
    throw new AppError("conflict", undefined, { message });
  });
}

/**
 * Delay of the job that removes the files, in milliseconds. The job is needed only if the request
 * that deletes the classification fails to remove the files itself.
 */
const cleanDelayMs = 60_000;

/**
 * Deletes the row of a classification, so that nobody can read the classification any more. Then
 * removes its files. If that fails, a job removes the files later.
 * @throws AppError `not_found`
 */
export async function deleteKeptClassification(
  deps: KeptClassificationDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  const { db, log } = deps;
  const { row, job } = await db.transaction().execute(async (transaction) => {
    const row = await findRow(transaction, caller, id);
    const job = await remove(transaction, row, cleanDelayMs);
    if (job === undefined) throw notFound();
    const detail = { filename: row.filename };
    await recordAudit(transaction, caller, { action: "classification.deleted", target: id, detail });
    return { row, job };
  });
  try {
    await removeFiles(deps, placeOf(row));
    await cancel(db, job);
  } catch (error) {
    log.warn(
      { err: error, classification: id },
      "the files of a deleted classification remain and will be removed by a job",
    );
  }
}

/** Maximum number of classifications removed per transaction. */
const removedAtOnce = 100;

/**
 * Removes the rows of expired classifications, and adds jobs that remove their files. Returns the
 * number of removed classifications.
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
async function remove(transaction: Db, row: kept.Owned, delayMs: number): Promise<string | undefined> {
  const organizationId = row.organization_id;
  if (!(await kept.deleteKept(transaction, row))) return undefined;
  return enqueue(transaction, "classification.clean", { classification: row.id }, { organizationId, delayMs });
}

/**
 * Returns one sentence for each mismatch between kept classifications and their stored files, to be
 * shown to the operator.
 */
export async function checkKeptClassifications({ db, files }: { db: Db; files: StoredFiles }): Promise<string[]> {
  const rows = await kept.listAllKept(db);
  const stored = new Set<string>();
  for await (const { key } of files.list()) if (isKeptClassificationFile(key)) stored.add(key);
  return rows
    .filter((row) => filesOfKeptClassification(row).some((key) => !stored.has(key)))
    .map(({ id }) => `A file of the kept classification ${id} is missing.`);
}

const notFound = () => new AppError("not_found", undefined, { message: "No such classification." });

async function findRow(db: Db, caller: Caller, id: string): Promise<kept.KeptClassificationRow> {
  const row = isId(id) ? await kept.findKept(db, caller, id) : undefined;
  if (row === undefined) throw notFound();
  return row;
}

const dataOf = ({ data }: kept.KeptClassificationRow): ClassificationJson => JSON.parse(data);

function segmentsOf(row: kept.KeptClassificationRow): CorrectedSegmentJson[] {
  if (row.corrected_segments !== null) return JSON.parse(row.corrected_segments);
  return dataOf(row).segments.map(({ start, end, label, title }) => ({ start, end, label, title }));
}

const summaryJson = (row: kept.KeptClassificationRow): KeptClassificationSummaryJson => ({
  id: row.id,
  filename: row.filename,
  mime: row.mime,
  size: Number(row.size),
  pages: row.pages,
  segments_count: segmentsOf(row).length,
  status: row.corrected_segments === null ? "original" : "corrected",
  version: row.version,
  created_at: row.created_at,
  expires_at: row.expires_at,
});

const keptJson = (row: kept.KeptClassificationRow): KeptClassificationJson => ({
  ...summaryJson(row),
  sha256: row.sha256,
  data: dataOf(row),
  corrected_segments: segmentsOf(row),
});
