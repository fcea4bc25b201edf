/** SQL queries for second factors. Each use of a code is one atomic statement. */
import type { Db } from "../../records/records.ts";

export interface SecondFactorRow {
  user_id: string;
  /** Encrypted secret. */
  secret: string;
  last_step: number;
}

/**
 * Stores a secret that is yet to be confirmed. If a secret is confirmed already, changes nothing
 * and returns false.
 */
export async function putPendingSecret(
  db: Db,
  factor: { userId: string; secret: string; now: string },
): Promise<boolean> {
  const { userId, secret, now } = factor;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("second_factors")
    .values({ user_id: userId, secret, last_step: 0, created_at: now, confirmed_at: null })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet({ secret, last_step: 0, created_at: now })
        .where("second_factors.confirmed_at", "is", null),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the unconfirmed secret if it was set after `since`. */
export async function findPendingSecret(db: Db, userId: string, since: string): Promise<SecondFactorRow | undefined> {
  const row = await db
    .selectFrom("second_factors")
    .select(["user_id", "secret", "last_step"])
    .where("user_id", "=", userId)
    .where("confirmed_at", "is", null)
    .where("created_at", ">", since)
    .executeTakeFirst();
  return row && { ...row, last_step: Number(row.last_step) };
}

/** Confirms the secret. Returns false if it has been replaced or confirmed since it was read. */
export async function confirmSecret(
  db: Db,
  { user_id, secret }: SecondFactorRow,
  { step, now }: { step: number; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set({ confirmed_at: now, last_step: step })
    .where("user_id", "=", user_id)
    .where("secret", "=", secret)
    .where("confirmed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the confirmed second factor of a user. */
export async function findSecondFactor(db: Db, userId: string): Promise<SecondFactorRow | undefined> {
  const row = await db
    .selectFrom("second_factors")
    .select(["user_id", "secret", "last_step"])
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return row && { ...row, last_step: Number(row.last_step) };
}

/**
 * Marks the time step of a code as used. Returns false if this or a later step has been used, or
 * the secret has changed.
 */
export async function useStep(db: Db, { user_id, secret }: SecondFactorRow, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", user_id)
    .where("secret", "=", secret)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Deletes the second factor and its recovery codes. Returns false if there is no confirmed second
 * factor.
 */
export async function deleteSecondFactor(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("second_factors")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function insertRecoveryCodes(db: Db, userId: string, hashes: readonly string[]): Promise<void> {
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await db.insertInto("recovery_codes").values(rows).execute();
}

/**
 * Deletes a recovery code, because each code is valid only once. Returns false if the user has no
 * code with this hash.
 */
export async function deleteRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .select((expression) => expression.fn.countAll<number | string>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
