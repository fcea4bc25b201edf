/** SQL of deliveries and their attempts. */
import type { EventName } from "@sheaf/contract/events.ts";
import type { Insertable, Selectable } from "kysely";
import type { Db } from "../../records/records.ts";
import type { DeliveryStatus, Tables } from "../../records/tables.ts";

export type DeliveryRow = Selectable<Tables["deliveries"]>;
export type AttemptRow = Selectable<Tables["delivery_attempts"]>;

export async function insertDelivery(db: Db, delivery: Insertable<Tables["deliveries"]>): Promise<void> {
  await db.insertInto("deliveries").values(delivery).execute();
}

export const findPending = (db: Db, organizationId: string, id: string): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst();

/** Ends a pending delivery. Has no effect on others. */
export async function endDelivery(
  db: Db,
  id: string,
  end: { status: Exclude<DeliveryStatus, "pending">; failure: string | null; ended_at: string },
): Promise<void> {
  await db.updateTable("deliveries").set(end).where("id", "=", id).where("status", "=", "pending").execute();
}

/** Ends all pending deliveries to the webhook of an event. Returns their ids. */
export async function endPendingOfWebhook(
  db: Db,
  organizationId: string,
  event: EventName,
  end: { failure: string; ended_at: string },
): Promise<string[]> {
  const rows = await db
    .updateTable("deliveries")
    .set({ status: "failed", ...end })
    .where("organization_id", "=", organizationId)
    .where("event", "=", event)
    .where("callback_url", "is", null)
    .where("status", "=", "pending")
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Records an attempt. Has no effect if it is already recorded. */
export async function insertAttempt(db: Db, attempt: Insertable<Tables["delivery_attempts"]>): Promise<void> {
  await db
    .insertInto("delivery_attempts")
    .values(attempt)
    .onConflict((conflict) => conflict.columns(["delivery_id", "attempt"]).doNothing())
    .execute();
}

export interface LoggedDelivery extends Omit<DeliveryRow, "data" | "organization_id"> {
  attempts: Omit<AttemptRow, "delivery_id">[];
}

/** Lists the latest `limit` deliveries of an organization, latest first. */
export async function listDeliveries(db: Db, organizationId: string, limit: number): Promise<LoggedDelivery[]> {
  const deliveries = await db
    .selectFrom("deliveries")
    .select(["id", "event", "callback_url", "status", "failure", "created_at", "ended_at"])
    .where("organization_id", "=", organizationId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  if (deliveries.length === 0) return [];
  const ids = deliveries.map(({ id }) => id);
  const attempts = await db
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("delivery_id", "in", ids)
    .orderBy("attempt")
    .execute();
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return deliveries.map((delivery) => ({
    ...delivery,
    attempts: (byDelivery.get(delivery.id) ?? []).map(({ delivery_id: _, ...attempt }) => attempt),
  }));
}

/** Deletes deliveries that ended before a time. */
export async function forgetDeliveries(db: Db, before: string): Promise<void> {
  await db.deleteFrom("deliveries").where("ended_at", "<", before).execute();
}
