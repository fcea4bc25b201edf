/** SQL of state changes. Reads return the changes of all organizations, for `change-feed.ts`. */
import type { Insertable, Selectable } from "kysely";
import { now } from "../../lib/clock.ts";
import type { StateChangesTable } from "../../records/event-tables.ts";
import type { Db } from "../../records/records.ts";

export type StateChangeRow = Omit<Selectable<StateChangesTable>, "created_at">;

/**
 * Records a change of state, of which clients are notified. Call it in the transaction of the
 * change.
 */
export async function recordStateChange(
  db: Db,
  change: Omit<Insertable<StateChangesTable>, "sequence" | "created_at">,
): Promise<void> {
  await db
    .insertInto("state_changes")
    .values({ ...change, created_at: now() })
    .execute();
}

/** Returns the largest number of the changes recorded before a time, or of all; 0 if there is none. */
export async function lastSequence(db: Db, before?: string): Promise<number> {
  const { last } = await db
    .selectFrom("state_changes")
    .select(({ fn }) => fn.max<number | null>("sequence").as("last"))
    .$if(before !== undefined, (query) => query.where("created_at", "<", before as string))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Lists the first changes with a larger number, in their order. */
export const listChanges = (db: Db, after: number, limit: number): Promise<StateChangeRow[]> =>
  db
    .selectFrom("state_changes")
    .select(["sequence", "organization_id", "type", "object_id", "agent_id", "status", "audience", "user_id"])
    .where("sequence", ">", after)
    .orderBy("sequence")
    .limit(limit)
    .execute();

/**
 * Deletes the changes recorded before a time. Keeps the newest of all, because SQLite numbers rows
 * from the largest number in use.
 */
export async function deleteChanges(db: Db, before: string): Promise<void> {
  const newest = db.selectFrom("state_changes").select(({ fn }) => fn.max("sequence").as("newest"));
  await db.deleteFrom("state_changes").where("created_at", "<", before).where("sequence", "<", newest).execute();
}
