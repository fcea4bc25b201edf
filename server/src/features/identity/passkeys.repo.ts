/** SQL queries for passkeys and used challenges. */
import type { Selectable } from "kysely";
import type { PeopleTables } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export type PasskeyRow = Selectable<PeopleTables["passkeys"]>;

/** Lists the passkeys of a user, oldest first. */
export const listPasskeys = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).orderBy("created_at").orderBy("id").execute();

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom("passkeys").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();

/** Returns false if the credential exists already. */
export async function insertPasskey(
  db: Db,
  row: Omit<PasskeyRow, "last_used_at" | "counter"> & { counter: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("passkeys")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function noteUse(db: Db, id: string, { counter, now }: { counter: number; now: string }): Promise<void> {
  await db.updateTable("passkeys").set({ counter, last_used_at: now }).where("id", "=", id).execute();
}

/** Returns false if the user has no such passkey. */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("passkeys")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes all passkeys of a user. Returns their number. */
export async function deletePasskeys(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom("passkeys").where("user_id", "=", userId).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Marks a challenge as used. Returns false if it was used before. */
export async function useChallenge(db: Db, hash: string, expiresAt: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("used_challenges")
    .values({ challenge_hash: hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("challenge_hash").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteExpiredChallenges(db: Db, now: string): Promise<void> {
  await db.deleteFrom("used_challenges").where("expires_at", "<", now).execute();
}
