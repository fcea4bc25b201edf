/**
 * SQL queries for what extractors have learned. Every query names the organization and the agent.
 */
import { type Insertable, type Selectable, sql } from "kysely";
import type { PageRequest } from "../../lib/paging.ts";
import type { LearnedPapersTable } from "../../records/agent-tables.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";

export type LearnedRow = Selectable<LearnedPapersTable>;

/** The agent and its organization. */
export interface Learner {
  organizationId: string;
  agentId: string;
}

const of = (db: Db, { organizationId, agentId }: Learner) =>
  db.selectFrom("learned_papers").where("organization_id", "=", organizationId).where("agent_id", "=", agentId);

const removalOf = (db: Db, { organizationId, agentId }: Learner) =>
  db.deleteFrom("learned_papers").where("organization_id", "=", organizationId).where("agent_id", "=", agentId);

/** Lists the entries, oldest first, with only the columns that the engine needs. */
export const listMemory = (db: Db, learner: Learner): Promise<Pick<LearnedRow, "id" | "skeleton" | "anchors">[]> =>
  of(db, learner).select(["id", "skeleton", "anchors"]).orderBy("created_at").orderBy("id").execute();

/**
 * Lists the file names and creation times of the given entries. Omits entries that do not exist.
 */
export async function listOrigins(
  db: Db,
  learner: Learner,
  ids: readonly string[],
): Promise<Pick<LearnedRow, "id" | "filename" | "created_at">[]> {
  if (ids.length === 0) return [];
  return of(db, learner).select(["id", "filename", "created_at"]).where("id", "in", ids).execute();
}

export const listLearned = (db: Db, learner: Learner, page: PageRequest): Promise<LearnedRow[]> =>
  inPages(of(db, learner).selectAll(), ["created_at", "id"], page).execute();

export const listAll = (db: Db, learner: Learner): Promise<LearnedRow[]> =>
  of(db, learner).selectAll().orderBy("created_at").orderBy("id").execute();

export async function insertLearned(db: Db, row: Insertable<LearnedPapersTable>): Promise<void> {
  await db.insertInto("learned_papers").values(row).execute();
}

/** Removes the entry that was learned from an extraction. */
export async function deleteOfExtraction(db: Db, learner: Learner, extractionId: string): Promise<void> {
  await removalOf(db, learner).where("extraction_id", "=", extractionId).execute();
}

/** Returns false if there is no such entry. */
export async function deleteLearned(db: Db, learner: Learner, id: string): Promise<boolean> {
  const { numDeletedRows } = await removalOf(db, learner).where("id", "=", id).executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteAll(db: Db, learner: Learner): Promise<number> {
  const { numDeletedRows } = await removalOf(db, learner).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes the least recently used entries until at most `most` remain. */
export async function dropUnused(db: Db, learner: Learner, most: number): Promise<void> {
  const rows = await of(db, learner)
    .select("id")
    .orderBy(sql`coalesce(last_used_at, created_at)`, "desc")
    .orderBy("id", "desc")
    .execute();
  const dropped = rows.slice(most).map(({ id }) => id);
  if (dropped.length > 0) await removalOf(db, learner).where("id", "in", dropped).execute();
}

/** Counts one use of an entry. */
export async function countUse(db: Db, { organizationId, agentId }: Learner, id: string, at: string): Promise<void> {
  await db
    .updateTable("learned_papers")
    .set({ times_used: sql`times_used + 1`, last_used_at: at })
    .where("organization_id", "=", organizationId)
    .where("agent_id", "=", agentId)
    .where("id", "=", id)
    .execute();
}
