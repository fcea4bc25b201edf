/** Adds documents to a corpus. The ingestion job processes them. */
import { extensionOf, normalizeFilename } from "@sheaf/contract/filename.ts";
import { documentExtensions, limits, megabyte } from "@sheaf/contract/limits.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { BodyBounds } from "../../lib/route.ts";
import type { DocumentChannel } from "../../records/agent-tables.ts";
import type { Db } from "../../records/records.ts";
import { checkManagedDocumentalist, lockDocumentalist, type Tenant } from "../agents/agent-lookup.service.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { getLimits } from "../plans/plans.service.ts";
import { originalKey } from "./document-files.ts";
import * as documents from "./documents.repo.ts";
import type { DocumentDeps } from "./documents.service.ts";
import { takeStray } from "./stray-files.ts";

export interface NewDocument {
  name: string;
  /** Folder within the corpus. If undefined, the document is added at the top level. */
  path?: string | undefined;
  /** Path on a local disk. The file must not be changed afterwards. */
  file: { path: string; size: number };
  channel: DocumentChannel;
}

const mimes: Record<(typeof documentExtensions)[number], string> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  heic: "image/heic",
};

/**
 * Checks the quota and returns the maximum file size, before the request body is read. If the quota
 * is full, the upload is refused only after its name has arrived and, if a document has this name,
 * also its path. If a document with this name and path already exists, the error is
 * `document_already_exists`.
 * @throws AppError `agent_not_found`, `invalid_agent_type`; `quota_exceeded` at once if the corpus
 * has no document yet
 */
export async function admitUpload(
  { db }: Pick<DocumentDeps, "db">,
  principal: Principal,
  agent: string,
): Promise<BodyBounds> {
  await checkManagedDocumentalist(db, principal, agent);
  try {
    return { maxFileBytes: await checkRoom(db, principal, agent) };
  } catch (error) {
    if (!(error instanceof AppError) || !(error.detail as { current?: number } | undefined)?.current) throw error;
    const refuse: BodyBounds["refuse"] = (fields, isComplete) =>
      refuseWithoutRoom(db, principal, agent, { fields, isComplete, full: error });
    return { maxFileBytes: limits.maxDocumentFileBytes, refuse };
  }
}

interface RefusedUpload {
  fields: Record<string, unknown>;
  isComplete: boolean;
  /** The quota-exceeded error, to be thrown unless the document already exists. */
  full: AppError;
}

/**
 * Throws the error for a refused upload. As long as the fields received so far do not determine
 * which error applies, does nothing.
 * @throws AppError `document_already_exists`, or the quota-exceeded error
 */
async function refuseWithoutRoom(
  db: Db,
  principal: Principal,
  agent: string,
  { fields: { filename, path }, isComplete, full }: RefusedUpload,
): Promise<void> {
  const { organizationId } = principal;
  if (typeof filename !== "string") {
    if (isComplete) throw full;
    return;
  }
  const name = normalizeFilename(filename);
  if (isComplete || typeof path === "string")
    await checkAbsent(db, principal, agent, { name, path: typeof path === "string" ? normalizeFilename(path) : "" });
  else if (await documents.hasName(db, organizationId, agent, name)) return;
  throw full;
}

/**
 * Returns the maximum size of a file in bytes.
 * @throws AppError `quota_exceeded`
 */
async function checkRoom(db: Db, { organizationId }: Tenant, agent: string): Promise<number> {
  const plan = await getLimits(db, { organizationId });
  const limit = plan.max_documents_per_agent;
  if (limit !== null) {
    const current = await documents.countDocuments(db, organizationId, agent);
    if (current >= limit) throw new AppError("quota_exceeded", { limit, current });
  }
  return Math.min(limits.maxDocumentFileBytes, (plan.max_upload_mb ?? Number.POSITIVE_INFINITY) * megabyte);
}

/**
 * Adds a document to the corpus. When the promise resolves, the document's file, row and ingestion
 * job are durable.
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `unsupported_file_type`,
 * `quota_exceeded`, `file_too_large`, `document_already_exists`
 */
export async function addDocument(
  deps: DocumentDeps,
  principal: Principal & AuditActor,
  agent: string,
  { name, path = "", file, channel }: NewDocument,
  atCommit?: AtCommit<string>,
): Promise<string> {
  const { db, files } = deps;
  const identity = { path: normalizeFilename(path), name: normalizeFilename(name) };
  const mime = mimeOf(identity.name);
  await checkManagedDocumentalist(db, principal, agent);
  await checkAbsent(db, principal, agent, identity);
  const of = { organizationId: principal.organizationId, agent, document: newId() };
  const at = now();
  const record = async (transaction: Db): Promise<boolean> => {
    await lockDocumentalist(transaction, principal, agent);
    const limit = await checkRoom(transaction, principal, agent);
    if (file.size > limit) throw new AppError("file_too_large", { limit, size: file.size });
    await checkAbsent(transaction, principal, agent, identity);
    // A sweep may have removed the file before this transaction acquired the lock.
    if ((await files.size(originalKey(of))) === undefined) return false;
    await documents.insertDocument(transaction, {
      id: of.document,
      organization_id: of.organizationId,
      agent_id: agent,
      ...identity,
      mime,
      size: file.size,
      channel,
      status: "pending",
      created_at: at,
      updated_at: at,
    });
    await enqueue(transaction, "document.ingest", { agent, document: of.document }, of);
    const detail = { agent, ...identity, size: file.size };
    await recordAudit(transaction, principal, { action: "document.uploaded", target: of.document, detail });
    await atCommit?.(transaction, of.document);
    return true;
  };
  try {
    do await files.put(originalKey(of), file.path);
    while (!(await db.transaction().execute(record)));
  } catch (error) {
    if (error instanceof AppError) await files.remove(originalKey(of));
    else await removeUnlessRecorded(deps, originalKey(of));
    throw error;
  }
  deps.wake();
  return of.document;
}

/**
 * Removes the file of a failed upload unless its row exists. After a database error, the row may
 * have been committed, or its commit may still take effect. So the row is looked up in two
 * transactions. Once the first transaction has been committed, the row can no longer appear. If the
 * removal fails, the sweep removes the file later.
 */
async function removeUnlessRecorded({ db, files, log }: DocumentDeps, key: string): Promise<void> {
  try {
    if (await takeStray(db, key, async () => {})) await takeStray(db, key, (stray) => files.remove(stray));
  } catch (error) {
    log.warn({ err: error }, "the file of a failed upload could not be removed");
  }
}

function mimeOf(name: string): string {
  const extension = extensionOf(name);
  const found = documentExtensions.find((each) => each === extension);
  if (found !== undefined) return mimes[found];
  const message = `This file type is not accepted. Accepted types: ${documentExtensions.join(", ")}.`;
  throw new AppError("unsupported_file_type", { supported: [...documentExtensions] }, { message });
}

/** @throws AppError `document_already_exists` */
async function checkAbsent(
  db: Db,
  { organizationId }: Tenant,
  agent: string,
  identity: { path: string; name: string },
): Promise<void> {
  const reference = await documents.findReference(db, organizationId, agent, identity);
  if (reference !== undefined) throw new AppError("document_already_exists", { document_reference: reference });
}
