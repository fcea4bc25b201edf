/**
 * SQL queries for kept extractions. Queries on behalf of a caller return only what the caller may
 * see.
 */
import type { ExpressionBuilder, Insertable, Selectable } from "kysely";
import type { Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import type { PageRequest } from "../../lib/paging.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";
import type { KeptExtractionsTable, ReviewStatus } from "../../records/result-tables.ts";
import type { Tables } from "../../records/tables.ts";
import { selectVisibleAgents } from "../agents/agent-lookup.service.ts";
import { recordStateChange } from "../live-states/state-changes.service.ts";

export type KeptExtractionRow = Selectable<KeptExtractionsTable>;
export type SummaryRow = Omit<KeptExtractionRow, "params" | "data" | "evidence" | "from_memory" | "corrections">;

export interface KeptFilter {
  agent?: string | undefined;
  status?: ReviewStatus | undefined;
  needsReview?: boolean | undefined;
}

const summaryColumns = [
  "id",
  "organization_id",
  "agent_id",
  "channel",
  "user_id",
  "filename",
  "mime",
  "size",
  "sha256",
  "pages",
  "unsure",
  "version",
  "status",
  "reviewed_by",
  "reviewed_at",
  "created_at",
  "updated_at",
  "expires_at",
] as const satisfies (keyof SummaryRow)[];

/**
 * An extraction of an agent is visible to those who see the agent. An extraction without an agent
 * is visible to the user who made it and to administrators.
 */
const isVisibleTo = (db: Db, viewer: Principal) => (where: ExpressionBuilder<Tables, "kept_extractions">) => {
  const ofAgent = where("agent_id", "in", selectVisibleAgents(db, viewer));
  const withoutAgent = where("agent_id", "is", null);
  const own = where("user_id", "=", viewer.userId ?? "");
  return where.or([ofAgent, viewer.role === "administrator" ? withoutAgent : where.and([withoutAgent, own])]);
};

const visible = (db: Db, viewer: Principal) =>
  db
    .selectFrom("kept_extractions")
    .where("organization_id", "=", viewer.organizationId)
    .where("expires_at", ">", now())
    .where(isVisibleTo(db, viewer));

export function listKept(
  db: Db,
  viewer: Principal,
  { agent, status, needsReview }: KeptFilter,
  page: PageRequest,
): Promise<SummaryRow[]> {
  let query = visible(db, viewer).select(summaryColumns);
  if (agent !== undefined) query = query.where("agent_id", "=", agent);
  if (status !== undefined) query = query.where("status", "=", status);
  if (needsReview === true) query = query.where("status", "=", "to_review").where("unsure", ">", 0);
  if (needsReview === false)
    query = query.where((where) => where.or([where("status", "=", "reviewed"), where("unsure", "=", 0)]));
  return inPages(query, ["created_at", "id"], page).execute();
}

export const findKept = (db: Db, viewer: Principal, id: string): Promise<KeptExtractionRow | undefined> =>
  visible(db, viewer).selectAll().where("id", "=", id).executeTakeFirst();

/**
 * Lists the reviewed extractions of an agent, most recently reviewed first, and returns their total
 * number.
 */
export async function listReviewed(
  db: Db,
  viewer: Principal,
  agent: string,
  limit: number,
): Promise<{ ids: string[]; total: number }> {
  const reviewed = visible(db, viewer).where("agent_id", "=", agent).where("status", "=", "reviewed");
  const rows = await reviewed.select("id").orderBy("reviewed_at", "desc").orderBy("id", "desc").limit(limit).execute();
  const { count } = await reviewed
    .select((expression) => expression.fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  return { ids: rows.map(({ id }) => id), total: Number(count) };
}

/** Returns a cache key that changes whenever the reviewed extractions of an agent change. */
export async function stampOfReviewed(db: Db, viewer: Principal, agent: string): Promise<string> {
  const { count, last } = await visible(db, viewer)
    .where("agent_id", "=", agent)
    .where("status", "=", "reviewed")
    .select((expression) => [
      expression.fn.countAll<number | string>().as("count"),
      expression.fn.max("updated_at").as("last"),
    ])
    .executeTakeFirstOrThrow();
  return `${count} ${last}`;
}

/** Has no effect if the extraction is recorded already. */
export async function insertKept(db: Db, row: Insertable<KeptExtractionsTable>): Promise<void> {
  await db
    .insertInto("kept_extractions")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  await recordStatus(db, row, row.status);
}

export type KeptChanges = Partial<Pick<KeptExtractionRow, "corrections" | "status" | "reviewed_by" | "reviewed_at">> & {
  updated_at: string;
};

/** Returns undefined if the extraction has been changed or deleted since this version was read. */
export async function updateKept(
  db: Db,
  { id, organization_id, version }: Pick<KeptExtractionRow, "id" | "organization_id" | "version">,
  changes: KeptChanges,
): Promise<KeptExtractionRow | undefined> {
  const changed = await db
    .updateTable("kept_extractions")
    .set({ ...changes, version: version + 1 })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("version", "=", version)
    .returningAll()
    .executeTakeFirst();
  if (changed && changes.status !== undefined) await recordStatus(db, changed, changed.status);
  return changed;
}

/** Returns false if the extraction was already deleted. */
export async function deleteKept(db: Db, organizationId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom("kept_extractions")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .returning(["id", "organization_id", "agent_id", "user_id"])
    .executeTakeFirst();
  if (deleted) await recordStatus(db, deleted, "deleted");
  return deleted !== undefined;
}

/** Emits the change of status to those who may see the extraction: see `isVisibleTo`. */
const recordStatus = (
  db: Db,
  { id, organization_id, agent_id = null, user_id = null }: Pick<Insertable<KeptExtractionsTable>, OwnerColumn>,
  status: ReviewStatus | "deleted",
): Promise<void> =>
  recordStateChange(db, {
    organization_id,
    type: "kept_extraction",
    object_id: id,
    agent_id,
    status,
    audience: agent_id === null ? "user_or_administrator" : "agent",
    user_id,
  });

type OwnerColumn = "id" | "organization_id" | "agent_id" | "user_id";

type Owned = Pick<KeptExtractionRow, "id" | "organization_id" | "agent_id">;

/** Lists extractions that expired before a time, oldest first, in all organizations. */
export const listExpired = (db: Db, before: string, limit: number): Promise<Owned[]> =>
  db
    .selectFrom("kept_extractions")
    .select(["id", "organization_id", "agent_id"])
    .where("expires_at", "<=", before)
    .orderBy("expires_at")
    .limit(limit)
    .execute();

/**
 * Returns those of the given extractions that exist, in any organization. Use it for background
 * work only.
 */
export async function listIds(db: Db, ids: readonly string[]): Promise<Owned[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("kept_extractions")
    .select(["id", "organization_id", "agent_id"])
    .where("id", "in", ids)
    .execute();
}

/** Lists the ids of the kept extractions of an agent, whatever the organization of the agent. */
export async function listKeptOfAgent(db: Db, agent: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("kept_extractions")
    .select("id")
    .where("agent_id", "=", agent)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Lists all kept extractions of all organizations. Use it for the operator only. */
export const listAllKept = (db: Db): Promise<(Owned & { size: number })[]> =>
  db.selectFrom("kept_extractions").select(["id", "organization_id", "agent_id", "size"]).execute();

/**
 * Deletes extractions that were restored from a backup without their files. They had been deleted
 * while the backup was running, before their files were copied.
 */
export async function dropKept(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom("kept_extractions").where("id", "=", id).execute();
}
