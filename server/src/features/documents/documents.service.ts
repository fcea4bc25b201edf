/** Lists and deletes the documents of a corpus. */
import type { DocumentDetailsJson, DocumentJson, IngestionFailureJson } from "@sheaf/contract/documents.ts";
import { failureReasons } from "@sheaf/contract/errors.ts";
import { extensionOf } from "@sheaf/contract/filename.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { cancel, enqueue, enqueueOnce } from "../../jobs/queue.ts";
import type { Principal } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import type { PassageIndex } from "../../search/passage-index.ts";
import {
  changeIndexVersion,
  checkDocumentalist,
  checkManagedDocumentalist,
  type Tenant,
} from "../agents/agent-lookup.service.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import type { PageSource } from "../pages/pages.service.ts";
import { forgetDocument } from "../threads/threads.service.ts";
import { corpusPrefix, documentKey, originalKey } from "./document-files.ts";
import * as documents from "./documents.repo.ts";

export interface DocumentDeps {
  db: Db;
  log: Logger;
  files: StoredFiles;
  index: PassageIndex;
  /** Notifies the runner of a new job. */
  wake(): void;
}

/**
 * Lists documents in the order of their upload. In the web application, each document includes its
 * progress and its error.
 * @throws AppError `agent_not_found`, `invalid_agent_type`
 */
export async function listDocuments(
  { db }: Pick<DocumentDeps, "db">,
  principal: Principal,
  agent: string,
  page: PageRequest,
): Promise<ListPage<DocumentJson>> {
  await checkDocumentalist(db, principal, agent);
  const rows = await documents.listDocuments(db, principal.organizationId, agent, page);
  const jsonOf = principal.channel === "app" ? detailsJson : documentJson;
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], jsonOf);
}

/** @throws AppError `agent_not_found`, `invalid_agent_type`, `document_not_found` */
export async function getDocument(
  { db }: Pick<DocumentDeps, "db">,
  principal: Principal,
  agent: string,
  reference: string,
): Promise<DocumentDetailsJson> {
  return detailsJson(await findSeen(db, principal, agent, reference));
}

/**
 * Returns where the pages of a document are stored.
 * @throws AppError as `getDocument`; `document_not_ready`
 */
export async function getPageSource(
  { db }: Pick<DocumentDeps, "db">,
  principal: Principal,
  agent: string,
  reference: string,
): Promise<PageSource> {
  const row = await findSeen(db, principal, agent, reference);
  if (row.status !== "ready" || row.pages === null) throw new AppError("document_not_ready");
  const of = { organizationId: row.organization_id, agent: row.agent_id, document: row.id };
  return {
    documentKey: documentKey(of),
    fileKey: originalKey(of),
    extension: extensionOf(row.name),
    pages: row.pages,
    // The id can serve as the digest, because the file of a document never changes.
    digest: row.id,
  };
}

async function findSeen(
  db: Db,
  principal: Principal,
  agent: string,
  reference: string,
): Promise<documents.DocumentRow> {
  await checkDocumentalist(db, principal, agent);
  const of = { organizationId: principal.organizationId, agent, document: reference };
  const row = isId(reference) ? await documents.findDocument(db, of) : undefined;
  if (row === undefined) throw new AppError("document_not_found");
  return row;
}

export {
  documentKey,
  filesOfDocument,
  originalKey,
  readStoredDocument,
  readStoredPages,
} from "./document-files.ts";
export { type DocumentKey, type DocumentState, dropDocuments, listIdsOfAgent } from "./documents.repo.ts";
export { DocumentWriter, readPagesAt } from "./stored-document.ts";
export { findStrays, takeStray } from "./stray-files.ts";

/**
 * Lists the state of each document of an agent, for the operator.
 * @throws AppError `agent_not_found`, `invalid_agent_type`
 */
export async function listDocumentStates(
  { db }: Pick<DocumentDeps, "db">,
  principal: Principal,
  agent: string,
): Promise<documents.DocumentState[]> {
  await checkDocumentalist(db, principal, agent);
  return documents.listStates(db, principal.organizationId, agent);
}

/**
 * Returns which of the documents are ready. Call it for search results: the index may still contain
 * deleted documents, which must not be shown.
 */
export const findReady = (db: Db, { organizationId }: Tenant, agent: string, references: readonly string[]) =>
  documents.findExisting(db, organizationId, agent, references, "ready");

/** Lists up to `limit` ready documents, oldest first. */
export const listReady = (db: Db, { organizationId }: Tenant, agent: string, limit: number) =>
  documents.listReady(db, organizationId, agent, limit);

/**
 * Delay of the clean-up job, in milliseconds. The request that deletes the document tries to do
 * this work itself, and cancels the job if it succeeds.
 */
const cleanDelayMs = 60_000;

/**
 * Deletes a document. First deletes its row, so that nobody can read it any more. Then removes its
 * files and index entries. If the removal fails, a job repeats it later.
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `document_not_found`
 */
export async function deleteDocument(
  deps: DocumentDeps,
  principal: Principal & AuditActor,
  agent: string,
  reference: string,
): Promise<void> {
  const { db, log } = deps;
  await checkManagedDocumentalist(db, principal, agent);
  if (!isId(reference)) throw new AppError("document_not_found");
  const { organizationId } = principal;
  const of = { organizationId, agent, document: reference };
  const job = await db.transaction().execute(async (transaction) => {
    await changeIndexVersion(transaction, agent);
    const deleted = await documents.deleteDocument(transaction, of);
    if (!deleted) throw new AppError("document_not_found");
    const detail = { agent, ...deleted };
    await recordAudit(transaction, principal, { action: "document.deleted", target: reference, detail });
    const options = { organizationId, delayMs: cleanDelayMs };
    return enqueue(transaction, "document.clean", { agent, document: reference }, options);
  });
  try {
    await cleanDocument(deps, of);
    await cancel(db, job);
  } catch (error) {
    log.warn({ err: error, document: reference }, "parts of a deleted document remain and will be removed by a job");
  }
}

/**
 * Delay of an index purge, in milliseconds. Documents are often deleted one after another, and each
 * purge rewrites the index, so one purge should handle several deletions.
 */
const purgeDelayMs = 20_000;

/**
 * Removes the index entries and the stored Document of a document that was deleted or whose
 * ingestion failed. For a deleted document, also removes the uploaded file and clears the answers
 * that are based on it.
 */
export async function cleanDocument(
  { db, files, index }: Pick<DocumentDeps, "db" | "files" | "index">,
  of: documents.DocumentKey,
): Promise<void> {
  const row = await documents.findDocument(db, of);
  if (row !== undefined && row.status !== "error") return;
  await index.remove(of.agent, of.document);
  await files.remove(documentKey(of));
  if (row !== undefined) return;
  await files.remove(originalKey(of));
  await forgetDocument(db, of);
  const { organizationId, agent } = of;
  await enqueueOnce(db, "index.purge", { agent, what: "rows" }, { organizationId, delayMs: purgeDelayMs });
}

/** Removes the files of a deleted agent and its part of the index. */
export async function removeCorpus(
  { files, index }: Pick<DocumentDeps, "files" | "index">,
  organizationId: string,
  agent: string,
): Promise<void> {
  const ends = await Promise.allSettled([
    files.removeAll(corpusPrefix(organizationId, agent)),
    index.removeAgent(agent),
  ]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

const documentJson = (row: documents.DocumentRow): DocumentJson => ({
  reference: row.id,
  name: row.name,
  path: row.path,
  status: row.status,
  size: row.size,
  mime: row.mime,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const detailsJson = (row: documents.DocumentRow): DocumentDetailsJson => ({
  ...documentJson(row),
  pages: row.pages,
  pages_done: row.pages_done,
  ...(row.status === "error" && { error: errorJson(row) }),
});

const errorJson = ({ failure, failure_message }: documents.DocumentRow): IngestionFailureJson => ({
  code: failureReasons.find((each) => each === failure) ?? "corrupt",
  message: failure_message ?? "The document could not be processed.",
});
