/**
 * SQL queries for the limits on password guessing. Each statement is atomic, so that all processes
 * share the counts.
 */
import { sql } from "kysely";
import type { Db } from "../../records/records.ts";

/**
 * Key of one quota: a user (or the hash of an unknown address) and a network. Networks from which
 * the user has never signed in share one quota, whose network is the empty string.
 */
export interface Bucket {
  subject: string;
  network: string;
}

/**
 * Consumes `costMs` of a bucket's `windowMs`. If less than `costMs` is left, consumes nothing and
 * returns false.
 */
export async function consume(
  db: Db,
  bucket: Bucket,
  { nowMs, costMs, windowMs }: { nowMs: number; costMs: number; windowMs: number },
): Promise<boolean> {
  const start = sql<number>`case when sign_in_limits.full_at > ${nowMs} then sign_in_limits.full_at else ${nowMs} end`;
  const result = await db
    .insertInto("sign_in_limits")
    .values({ ...bucket, full_at: nowMs + costMs, succeeded_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(["subject", "network"])
        .doUpdateSet({ full_at: sql<number>`(${start}) + ${costMs}` })
        .where(sql<boolean>`(${start}) + ${costMs} - ${nowMs} <= ${windowMs}`),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Returns when the full quota of the bucket is available again, in milliseconds since 1970. */
export async function fullAt(db: Db, { subject, network }: Bucket): Promise<number> {
  const row = await db
    .selectFrom("sign_in_limits")
    .select("full_at")
    .where("subject", "=", subject)
    .where("network", "=", network)
    .executeTakeFirst();
  return Number(row?.full_at ?? 0);
}

/** Refunds a consumed cost to the bucket. */
export async function refund(db: Db, { subject, network }: Bucket, costMs: number): Promise<void> {
  await db
    .updateTable("sign_in_limits")
    .set({ full_at: sql<number>`full_at - ${costMs}` })
    .where("subject", "=", subject)
    .where("network", "=", network)
    .execute();
}

/** Returns those of the given users who have signed in from the network at or after `since`. */
export async function listUsersKnownFrom(
  db: Db,
  userIds: readonly string[],
  network: string,
  since: string,
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("sign_in_limits")
    .select("subject")
    .where("subject", "in", userIds)
    .where("network", "=", network)
    .where("succeeded_at", ">=", since)
    .execute();
  return new Set(rows.map(({ subject }) => subject));
}

export async function noteSuccess(db: Db, bucket: Bucket, now: string): Promise<void> {
  await db
    .insertInto("sign_in_limits")
    .values({ ...bucket, full_at: 0, succeeded_at: now })
    .onConflict((conflict) => conflict.columns(["subject", "network"]).doUpdateSet({ succeeded_at: now }))
    .execute();
}

/**
 * Deletes buckets whose full quota is available again. Keeps the buckets of networks from which the
 * user has signed in at or after `since`.
 */
export async function deleteFull(db: Db, nowMs: number, since: string): Promise<void> {
  await db
    .deleteFrom("sign_in_limits")
    .where("full_at", "<", nowMs)
    .where((where) => where.or([where("succeeded_at", "is", null), where("succeeded_at", "<", since)]))
    .execute();
}
