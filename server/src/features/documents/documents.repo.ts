/**
 * SQL queries for documents. Every function restricts its query to one organization, except the
 * functions that are marked as covering all organizations.
 */
import type { Insertable, Selectable } from "kysely";
import type { PageRequest } from "../../lib/paging.ts";
import type { DocumentStatus, DocumentsTable } from "../../records/agent-tables.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";
import { recordStateChange } from "../live-states/state-changes.service.ts";

export type DocumentRow = Selectable<DocumentsTable>;

/** Identifies a document and its owner. */
export interface DocumentKey {
  organizationId: string;
  agent: string;
  document: string;
}

const ofAgent = (db: Db, organizationId: string, agent: string) =>
  db.selectFrom("documents").where("organization_id", "=", organizationId).where("agent_id", "=", agent);

/** Lists documents in the order of their upload. */
export const listDocuments = (
  db: Db,
  organizationId: string,
  agent: string,
  page: PageRequest = {},
): Promise<DocumentRow[]> =>
  inPages(ofAgent(db, organizationId, agent).selectAll(), ["created_at", "id"], page).execute();

export type DocumentState = Pick<
  DocumentRow,
  "id" | "path" | "name" | "size" | "status" | "failure_message" | "pages" | "passages"
>;

export const listStates = (db: Db, organizationId: string, agent: string): Promise<DocumentState[]> =>
  ofAgent(db, organizationId, agent)
    .select(["id", "path", "name", "size", "status", "failure_message", "pages", "passages"])
    .execute();

/**
 * Returns those of the given documents of an agent that exist. The agent may belong to any
 * organization.
 */
export const listStatesOf = (
  db: Db,
  agent: string,
  ids: readonly string[],
): Promise<Pick<DocumentRow, "id" | "organization_id" | "path" | "name" | "status">[]> =>
  db
    .selectFrom("documents")
    .select(["id", "organization_id", "path", "name", "status"])
    .where("agent_id", "=", agent)
    .where("id", "in", ids)
    .execute();

export const findDocument = (
  db: Db,
  { organizationId, agent, document }: DocumentKey,
): Promise<DocumentRow | undefined> =>
  ofAgent(db, organizationId, agent).selectAll().where("id", "=", document).executeTakeFirst();

export async function findReference(
  db: Db,
  organizationId: string,
  agent: string,
  identity: { path: string; name: string },
): Promise<string | undefined> {
  const row = await ofAgent(db, organizationId, agent)
    .select("id")
    .where("path", "=", identity.path)
    .where("name", "=", identity.name)
    .executeTakeFirst();
  return row?.id;
}

/** Returns whether any document of the agent has this name, in any folder. */
export async function hasName(db: Db, organizationId: string, agent: string, name: string): Promise<boolean> {
  const row = await ofAgent(db, organizationId, agent).select("id").where("name", "=", name).executeTakeFirst();
  return row !== undefined;
}

export async function countDocuments(db: Db, organizationId: string, agent: string): Promise<number> {
  const { count } = await ofAgent(db, organizationId, agent)
    .select((expression) => expression.fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export interface CorpusSize {
  documents: number;
  pages: number;
}

/**
 * Counts the ready documents of each given agent, and the pages of these documents. Leaves out
 * agents without ready documents.
 */
export async function countReady(
  db: Db,
  organizationId: string,
  agents: readonly string[],
): Promise<Map<string, CorpusSize>> {
  if (agents.length === 0) return new Map();
  const rows = await db
    .selectFrom("documents")
    .select(["agent_id", ({ fn }) => fn.countAll<number | string>().as("documents")])
    .select(({ fn }) => fn.sum<number | string | null>("pages").as("pages"))
    .where("organization_id", "=", organizationId)
    .where("agent_id", "in", agents)
    .where("status", "=", "ready")
    .groupBy("agent_id")
    .execute();
  return new Map(
    rows.map(({ agent_id, documents, pages }) => [agent_id, { documents: Number(documents), pages: Number(pages) }]),
  );
}

/**
 * Returns those of the given references that belong to documents of the agent. If `status` is
 * given, leaves out documents with a different status.
 */
export async function findExisting(
  db: Db,
  organizationId: string,
  agent: string,
  references: readonly string[],
  status?: DocumentStatus,
): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const rows = await ofAgent(db, organizationId, agent)
    .select("id")
    .where("id", "in", references)
    .$if(status !== undefined, (query) => query.where("status", "=", status as DocumentStatus))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Maps the id of each given document that exists to its organization and agent, joined by a slash.
 * Searches all organizations.
 */
export async function findOwners(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("documents")
    .select(["id", "organization_id", "agent_id"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, organization_id, agent_id }) => [id, `${organization_id}/${agent_id}`]));
}

export const listReady = (
  db: Db,
  organizationId: string,
  agent: string,
  limit: number,
): Promise<Pick<DocumentRow, "id" | "path" | "name">[]> =>
  ofAgent(db, organizationId, agent)
    .select(["id", "path", "name"])
    .where("status", "=", "ready")
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();

/**
 * Lists the documents of an agent that the index must contain. The agent may belong to any
 * organization.
 */
export async function listIndexed(db: Db, agent: string): Promise<string[]> {
  const rows = await db
    .selectFrom("documents")
    .select("id")
    .where("agent_id", "=", agent)
    .where("status", "=", "ready")
    .where("passages", ">", 0)
    .execute();
  return rows.map(({ id }) => id);
}

export async function insertDocument(db: Db, document: Insertable<DocumentsTable>): Promise<void> {
  await db.insertInto("documents").values(document).execute();
  const { organization_id: organizationId, agent_id: agent, id, status } = document;
  await recordStatus(db, { organizationId, agent, document: id }, status);
}

/**
 * Deletes a document and returns its path and name. Returns undefined if the document does not
 * exist.
 */
export async function deleteDocument(db: Db, of: DocumentKey): Promise<{ path: string; name: string } | undefined> {
  const deleted = await db
    .deleteFrom("documents")
    .where("organization_id", "=", of.organizationId)
    .where("agent_id", "=", of.agent)
    .where("id", "=", of.document)
    .returning(["path", "name"])
    .executeTakeFirst();
  if (deleted) await recordStatus(db, of, "deleted");
  return deleted;
}

/** Deletes the documents that a restore leaves out, in all organizations. */
export async function dropDocuments(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom("documents").where("id", "=", id).execute();
}

/** Lists up to `limit` ids of an agent's documents. The agent may belong to any organization. */
export async function listIdsOfAgent(db: Db, agent: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom("documents").select("id").where("agent_id", "=", agent).limit(limit).execute();
  return rows.map(({ id }) => id);
}

type Progress = Partial<
  Pick<
    DocumentRow,
    "status" | "failure" | "failure_message" | "pages" | "pages_done" | "passages" | "mime" | "updated_at"
  >
>;

/** Changes a pending document. Returns false if it is no longer pending or has been deleted. */
export async function updatePending(db: Db, of: DocumentKey, changes: Progress): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("documents")
    .set(changes)
    .where("organization_id", "=", of.organizationId)
    .where("agent_id", "=", of.agent)
    .where("id", "=", of.document)
    .where("status", "=", "pending")
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await recordStatus(db, of, changes.status ?? "pending");
  return true;
}

const recordStatus = (
  db: Db,
  { organizationId, agent, document }: DocumentKey,
  status: DocumentStatus | "deleted",
): Promise<void> =>
  recordStateChange(db, {
    organization_id: organizationId,
    type: "document",
    object_id: document,
    agent_id: agent,
    status,
    audience: "agent",
    user_id: null,
  });

export async function updatePassages(db: Db, { organizationId, agent, document }: DocumentKey, passages: number) {
  await db
    .updateTable("documents")
    .set({ passages })
    .where("organization_id", "=", organizationId)
    .where("agent_id", "=", agent)
    .where("id", "=", document)
    .execute();
}
