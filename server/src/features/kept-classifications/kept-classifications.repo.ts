/**
 * SQL queries for kept classifications. Queries on behalf of a caller return only what the caller
 * may see.
 */
import type { Insertable, Selectable } from "kysely";
import type { Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import type { PageRequest } from "../../lib/paging.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";
import type { KeptClassificationsTable } from "../../records/result-tables.ts";
import { recordStateChange } from "../live-states/state-changes.service.ts";

export type KeptClassificationRow = Selectable<KeptClassificationsTable>;
export type Owned = Pick<KeptClassificationRow, "id" | "organization_id">;

/**
 * Selects the classifications that have not expired and that the caller may see. A classification
 * is visible to the user who made it and to administrators.
 */
function visible(db: Db, { organizationId, role, userId }: Principal) {
  const alive = db
    .selectFrom("kept_classifications")
    .where("organization_id", "=", organizationId)
    .where("expires_at", ">", now());
  return role === "administrator" ? alive : alive.where("user_id", "=", userId ?? "");
}

export const listKept = (db: Db, viewer: Principal, page: PageRequest): Promise<KeptClassificationRow[]> =>
  inPages(visible(db, viewer).selectAll(), ["created_at", "id"], page).execute();

export const findKept = (db: Db, viewer: Principal, id: string): Promise<KeptClassificationRow | undefined> =>
  visible(db, viewer).selectAll().where("id", "=", id).executeTakeFirst();

/** Has no effect if the classification is recorded already. */
export async function insertKept(db: Db, row: Insertable<KeptClassificationsTable>): Promise<void> {
  await db
    .insertInto("kept_classifications")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  await recordStatus(db, row, "original");
}

/**
 * Returns undefined if the classification has been changed or deleted since this version was read.
 */
export async function updateSegments(
  db: Db,
  { id, organization_id, version }: Pick<KeptClassificationRow, "id" | "organization_id" | "version">,
  corrected_segments: string,
): Promise<KeptClassificationRow | undefined> {
  const changed = await db
    .updateTable("kept_classifications")
    .set({ corrected_segments, updated_at: now(), version: version + 1 })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("version", "=", version)
    .returningAll()
    .executeTakeFirst();
  if (changed) await recordStatus(db, changed, "corrected");
  return changed;
}

/** Returns false if the classification was already deleted. */
export async function deleteKept(db: Db, { id, organization_id }: Owned): Promise<boolean> {
  const deleted = await db
    .deleteFrom("kept_classifications")
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .returning(["id", "organization_id", "user_id"])
    .executeTakeFirst();
  if (deleted) await recordStatus(db, deleted, "deleted");
  return deleted !== undefined;
}

/** Emits the change of status to those who may see the classification: see `visible`. */
const recordStatus = (
  db: Db,
  { id, organization_id, user_id = null }: Pick<Insertable<KeptClassificationsTable>, keyof Owned | "user_id">,
  status: "original" | "corrected" | "deleted",
): Promise<void> =>
  recordStateChange(db, {
    organization_id,
    type: "kept_classification",
    object_id: id,
    agent_id: null,
    status,
    audience: "user_or_administrator",
    user_id,
  });

/** Lists classifications that expired before a time, oldest first, in all organizations. */
export const listExpired = (db: Db, before: string, limit: number): Promise<Owned[]> =>
  db
    .selectFrom("kept_classifications")
    .select(["id", "organization_id"])
    .where("expires_at", "<=", before)
    .orderBy("expires_at")
    .limit(limit)
    .execute();

/**
 * Returns those of the given classifications that exist, in any organization. Use it for background
 * work only.
 */
export async function listIds(db: Db, ids: readonly string[]): Promise<Owned[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("kept_classifications").select(["id", "organization_id"]).where("id", "in", ids).execute();
}

/** Lists all kept classifications of all organizations. Use it for the operator only. */
export const listAllKept = (db: Db): Promise<Owned[]> =>
  db.selectFrom("kept_classifications").select(["id", "organization_id"]).execute();

/**
 * Deletes classifications that were restored from a backup without their files. They had been
 * deleted while the backup was running, before their files were copied.
 */
export async function dropKeptClassifications(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom("kept_classifications").where("id", "=", id).execute();
}
