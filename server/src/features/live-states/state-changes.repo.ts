/**
 * SQL queries for state changes. Reads return the changes of all organizations, for
 * `change-feed.ts`.
 */
import type { Insertable, Selectable } from "kysely";
import { now } from "../../lib/clock.ts";
import type { StateChangesTable } from "../../records/event-tables.ts";
import type { Db } from "../../records/records.ts";

export type StateChangeRow = Omit<Selectable<StateChangesTable>, "created_at">;
export type NewStateChange = Omit<Insertable<StateChangesTable>, "sequence" | "created_at">;

/**
 * Records a change of state, so that clients are notified of it. Call it in the transaction of the
 * change.
 */
export const recordStateChange = (db: Db, change: NewStateChange): Promise<void> => recordStateChanges(db, [change]);

/** Maximum number of rows per statement. An SQLite statement can bind at most 32,766 values. */
const maxRows = 500;

/** Like `recordStateChange`, for several changes. */
export async function recordStateChanges(db: Db, changes: readonly NewStateChange[]): Promise<void> {
  const created_at = now();
  for (let at = 0; at < changes.length; at += maxRows) {
    const rows = changes.slice(at, at + maxRows).map((change) => ({ ...change, created_at }));
    await db.insertInto("state_changes").values(rows).execute();
  }
}

/**
 * Returns the largest sequence number among the changes recorded before a time, or among all
 * changes if no time is given; 0 if there are none.
 */
export async function lastSequence(db: Db, before?: string): Promise<number> {
  const { last } = await db
    .selectFrom("state_changes")
    .select(({ fn }) => fn.max<number | null>("sequence").as("last"))
    .$if(before !== undefined, (query) => query.where("created_at", "<", before as string))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Lists up to `limit` changes with a sequence number greater than `after`, in ascending order. */
export const listChanges = (db: Db, after: number, limit: number): Promise<StateChangeRow[]> =>
  db
    .selectFrom("state_changes")
    .select([
      "sequence",
      "organization_id",
      "type",
      "object_id",
      "agent_id",
      "status",
      "audience",
      "user_id",
      "group_id",
    ])
    .where("sequence", ">", after)
    .orderBy("sequence")
    .limit(limit)
    .execute();

/**
 * Deletes the changes recorded before a time. Keeps the newest change, because SQLite numbers new
 * rows from the largest number that is still in the table.
 */
export async function deleteChanges(db: Db, before: string): Promise<void> {
  const newest = db.selectFrom("state_changes").select(({ fn }) => fn.max("sequence").as("newest"));
  await db.deleteFrom("state_changes").where("created_at", "<", before).where("sequence", "<", newest).execute();
}
