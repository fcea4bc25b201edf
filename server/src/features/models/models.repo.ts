/** SQL queries for language model calls and their token reservations. */
import type { Insertable, Updateable } from "kysely";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";

/** Locks the reservations of one organization, across processes, until the transaction ends. */
export async function lockReservations(transaction: Db, organizationId: string): Promise<void> {
  // Updates the row without changing it. In PostgreSQL this locks the row but not its key, so rows
  // that refer to it can still be inserted. SQLite needs no lock, because it has only one writer.
  await transaction
    .updateTable("organizations")
    .set(({ ref }) => ({ name: ref("name") }))
    .where("id", "=", organizationId)
    .execute();
}

export async function insertCall(db: Db, call: Insertable<Tables["model_calls"]>): Promise<void> {
  await db.insertInto("model_calls").values(call).execute();
}

/**
 * Ends a call. Returns the month and channel for which it was reserved; undefined if the call had
 * already ended.
 */
export async function endCall(
  db: Db,
  id: string,
  call: Updateable<Tables["model_calls"]>,
): Promise<Pick<Tables["model_calls"], "month" | "channel"> | undefined> {
  return db
    .updateTable("model_calls")
    .set({ ...call, reserved_tokens: null, reserved_until: null })
    .where("id", "=", id)
    .where("reserved_tokens", "is not", null)
    .returning(["month", "channel"])
    .executeTakeFirst();
}

/** Returns the number of tokens reserved for calls in progress, in whichever month they began. */
export async function sumReserved(db: Db, organizationId: string): Promise<number> {
  const { tokens } = await db
    .selectFrom("model_calls")
    .select(({ fn }) => fn.sum<number | string | null>("reserved_tokens").as("tokens"))
    .where("organization_id", "=", organizationId)
    .where("reserved_tokens", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(tokens ?? 0);
}

/**
 * Returns calls that were never recorded as ended because their process crashed. Without an
 * `organizationId`, returns the calls of all organizations.
 */
export async function findAbandoned(db: Db, now: string, organizationId?: string) {
  return db
    .selectFrom("model_calls")
    .select(["id", "organization_id", "input_tokens", "output_tokens"])
    .where("reserved_tokens", "is not", null)
    .where("reserved_until", "<", now)
    .$if(organizationId !== undefined, (query) => query.where("organization_id", "=", organizationId ?? ""))
    .execute();
}
