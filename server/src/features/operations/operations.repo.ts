/** SQL queries for operations. */
import type { Insertable, Selectable } from "kysely";
import { type Caller, ownUser } from "../../lib/caller.ts";
import type { Db } from "../../records/records.ts";
import type { OperationKind, OperationStatus } from "../../records/result-tables.ts";
import type { Tables } from "../../records/tables.ts";
import { recordStateChange } from "../live-states/state-changes.service.ts";

export type OperationRow = Selectable<Tables["operations"]>;

export async function insertOperation(db: Db, operation: Insertable<Tables["operations"]>): Promise<void> {
  await db.insertInto("operations").values(operation).execute();
  await recordStatus(db, { ...operation, user_id: operation.user_id ?? null });
}

export const findOperation = (
  db: Db,
  organizationId: string,
  kind: OperationKind,
  id: string,
): Promise<OperationRow | undefined> =>
  db
    .selectFrom("operations")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirst();

/**
 * Finds an operation of the caller. It must have been started through the same channel and, in the
 * web application, by the same user.
 */
export const findOperationOf = (
  db: Db,
  caller: Caller,
  kind: OperationKind,
  id: string,
): Promise<OperationRow | undefined> =>
  db
    .selectFrom("operations")
    .selectAll()
    .where("organization_id", "=", caller.organizationId)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .where("channel", "=", caller.channel)
    .where("user_id", "is not distinct from", ownUser(caller))
    .executeTakeFirst();

/** Ends an operation. Returns false if it has already ended. */
export async function endOperation(
  db: Db,
  operation: OperationRow,
  end: { status: Exclude<OperationStatus, "started">; outcome: string; ended_at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("operations")
    .set(end)
    .where("id", "=", operation.id)
    .where("status", "=", "started")
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await recordStatus(db, { ...operation, status: end.status });
  return true;
}

/**
 * Emits the change of status only to the user who started the operation, or to the API if the
 * operation was started through it.
 */
const recordStatus = (
  db: Db,
  { organization_id, kind, id, agent_id = null, status, user_id }: StatedOperation,
): Promise<void> =>
  recordStateChange(db, { organization_id, type: kind, object_id: id, agent_id, status, audience: "user", user_id });

type StatedOperation = Pick<OperationRow, "organization_id" | "kind" | "id" | "status" | "user_id"> & {
  agent_id?: string | null | undefined;
};

export async function countStarted(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom("operations")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("status", "=", "started")
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the ids of all unfinished operations of all organizations. */
export async function listStarted(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom("operations").select("id").where("status", "=", "started").execute();
  return new Set(rows.map(({ id }) => id));
}

/** Deletes operations that ended before a time. */
export async function forgetOperations(db: Db, before: string): Promise<void> {
  await db.deleteFrom("operations").where("ended_at", "<", before).execute();
}

/**
 * Deletes operations that were restored from a backup without their files. They had ended, or been
 * deleted, while the backup was running, before their files were copied.
 */
export async function dropOperations(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom("operations").where("id", "=", id).execute();
}
