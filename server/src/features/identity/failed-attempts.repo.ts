/**
 * SQL queries for the limit on failed authentication attempts per client network. Each statement is
 * atomic, so that all processes share one count.
 */
import { sql } from "kysely";
import { databaseTimeUs, isPostgres } from "../../records/database-time.ts";
import type { Db } from "../../records/records.ts";

/**
 * Quota of a network: `windowUs / costUs` attempts in a burst, then one every `costUs`
 * microseconds.
 */
export interface AttemptQuota {
  windowUs: number;
  costUs: number;
}

/** Consumes one attempt of a network. If none is left, consumes nothing and returns false. */
export async function consume(db: Db, network: string, { windowUs, costUs }: AttemptQuota): Promise<boolean> {
  const now = databaseTimeUs(db);
  // A `full_at` far in the future means that the clock was set back. Without the upper bound, the
  // network would be refused until the clock reaches that time. The upper bound is two windows
  // instead of one, because a statement that waited for a lock has an earlier time than the
  // statement that held the lock.
  const start = sql<number>`(case
    when failed_attempts.full_at between ${now} and ${now} + ${2 * windowUs} then failed_attempts.full_at
    else ${now} end)`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("failed_attempts")
    .values({ network, full_at: sql<number>`${now} + ${costUs}` })
    .onConflict((conflict) =>
      conflict
        .column("network")
        .doUpdateSet({ full_at: sql<number>`${start} + ${costUs}` })
        .where(sql<boolean>`${start} + ${costUs} - ${now} <= ${windowUs}`),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the time until the full quota of a network is available again, in microseconds. */
export async function fullInUs(db: Db, network: string): Promise<number> {
  const row = await db
    .selectFrom("failed_attempts")
    .select(sql<number | string>`full_at - ${databaseTimeUs(db)}`.as("wait"))
    .where("network", "=", network)
    .executeTakeFirst();
  return Math.max(0, Number(row?.wait ?? 0));
}

/**
 * Refunds one attempt to a network. Deletes the row if the full quota is then available, so that
 * successful attempts leave no rows.
 */
export async function refund(db: Db, network: string, { costUs }: AttemptQuota): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("failed_attempts")
    .where("network", "=", network)
    .where("full_at", "<=", sql<number>`${databaseTimeUs(db)} + ${costUs}`)
    .executeTakeFirst();
  if (numDeletedRows === 0n)
    await db
      .updateTable("failed_attempts")
      .set({ full_at: sql<number>`full_at - ${costUs}` })
      .where("network", "=", network)
      .execute();
}

/** Deletes up to `limit` rows of networks whose full quota is available again. */
export async function deleteFull(db: Db, limit: number): Promise<void> {
  const isFull = sql<boolean>`full_at <= ${databaseTimeUs(db)}`;
  await db
    .deleteFrom("failed_attempts")
    .where("network", "in", (from) =>
      from
        .selectFrom("failed_attempts")
        .select("network")
        .where(isFull)
        .orderBy("full_at")
        .limit(limit)
        // Rows that another process is about to delete are skipped, because two processes that wait
        // for each other's rows would deadlock.
        .$if(isPostgres(db), (query) => query.forUpdate().skipLocked()),
    )
    .execute();
}
