/** SQL queries for idempotency keys. */
import type { Selectable } from "kysely";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";

type KeyRow = Selectable<Tables["request_keys"]>;
/** Columns that together identify a key. Different senders may use the same text as a key. */
export type KeyName = Pick<KeyRow, "organization_id" | "sender" | "key">;
type NewClaim = Omit<KeyRow, "reply" | "reference">;

/** Returns false if the key is in use. */
export async function insertClaim(db: Db, row: NewClaim): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("request_keys")
    .values(row)
    .onConflict((conflict) => conflict.columns(["organization_id", "sender", "key"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the row of a key, and whether the process that claimed it is alive. */
export const findKey = (db: Db, { organization_id, sender, key }: KeyName) =>
  db
    .selectFrom("request_keys as k")
    .leftJoin("live_processes as p", "p.id", "k.process")
    .selectAll("k")
    .select("p.id as live_process")
    .where("k.organization_id", "=", organization_id)
    .where("k.sender", "=", sender)
    .where("k.key", "=", key)
    .executeTakeFirst();

/**
 * Stores the reply to the request that claimed a key, or the reference that replaces the reply.
 * Returns false if another request has claimed the key in the meantime.
 */
export async function updateReply(
  db: Db,
  claim: string,
  kept: { reply: string | null; reference: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("request_keys")
    .set(kept)
    .where("claim", "=", claim)
    .where("reply", "is", null)
    .where("reference", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes a claim unless it has a reply. */
export async function deleteClaim(db: Db, claim: string): Promise<void> {
  await db
    .deleteFrom("request_keys")
    .where("claim", "=", claim)
    .where("reply", "is", null)
    .where("reference", "is", null)
    .execute();
}

/** Deletes a claim and its reply. */
export async function deleteKey(db: Db, claim: string): Promise<void> {
  await db.deleteFrom("request_keys").where("claim", "=", claim).execute();
}

/**
 * Deletes old keys of all organizations, including keys that the previous version of Sheaf stored
 * in a different table.
 */
export async function deleteBefore(db: Db, time: string): Promise<void> {
  await db.deleteFrom("request_keys").where("created_at", "<", time).execute();
  await db.deleteFrom("idempotency_keys").where("created_at", "<", time).execute();
}
