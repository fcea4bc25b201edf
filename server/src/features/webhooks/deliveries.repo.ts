/** SQL queries for deliveries and their attempts. */
import type { EventName } from "@sheaf/contract/events.ts";
import { type Insertable, type Selectable, sql } from "kysely";
import type { PageRequest } from "../../lib/paging.ts";
import type { DeliveryStatus } from "../../records/event-tables.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";
import { recordStateChanges } from "../live-states/state-changes.service.ts";

export type DeliveryRow = Selectable<Tables["deliveries"]>;
export type AttemptRow = Selectable<Tables["delivery_attempts"]>;

export async function insertDelivery(db: Db, delivery: Insertable<Tables["deliveries"]>): Promise<void> {
  await db.insertInto("deliveries").values(delivery).execute();
  await recordStatus(db, [delivery], delivery.status);
}

/** Records a status change of deliveries, which are visible to administrators. */
const recordStatus = (
  db: Db,
  deliveries: readonly Pick<DeliveryRow, "id" | "organization_id">[],
  status: DeliveryStatus,
): Promise<void> =>
  recordStateChanges(
    db,
    deliveries.map(({ id, organization_id }) => ({
      organization_id,
      type: "delivery",
      object_id: id,
      agent_id: null,
      status,
      audience: "administrator",
      user_id: null,
    })),
  );

export const findPending = (db: Db, organizationId: string, id: string): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst();

/** Ends a delivery. Has no effect if it is not pending. */
export async function endDelivery(
  db: Db,
  id: string,
  end: { status: Exclude<DeliveryStatus, "pending">; failure: string | null; ended_at: string },
): Promise<void> {
  const ended = await db
    .updateTable("deliveries")
    .set(end)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .returning(["id", "organization_id"])
    .execute();
  await recordStatus(db, ended, end.status);
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
    .returning(["id", "organization_id"])
    .execute();
  await recordStatus(db, rows, "failed");
  return rows.map(({ id }) => id);
}

/** Records an attempt after which the delivery is still pending. */
export const recordFailedAttempt = (
  db: Db,
  delivery: Pick<DeliveryRow, "id" | "organization_id">,
  attempt: Insertable<Tables["delivery_attempts"]>,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await insertAttempt(transaction, attempt);
    await recordStatus(transaction, [delivery], "pending");
  });

/** Records an attempt. Has no effect if it is already recorded. */
export async function insertAttempt(db: Db, attempt: Insertable<Tables["delivery_attempts"]>): Promise<void> {
  await db
    .insertInto("delivery_attempts")
    .values(attempt)
    .onConflict((conflict) => conflict.columns(["delivery_id", "attempt"]).doNothing())
    .execute();
}

export type DeliverySummaryRow = Omit<DeliveryRow, "data" | "organization_id" | "earlier_attempts">;

export interface LoggedDelivery extends DeliverySummaryRow {
  attempts: Omit<AttemptRow, "delivery_id">[];
}

const summaryColumns = ["id", "event", "callback_url", "status", "failure", "test", "created_at", "ended_at"] as const;

/** Lists the deliveries of an event, newest first. */
export function listDeliveriesOfEvent(
  db: Db,
  organizationId: string,
  { event, status }: { event: EventName; status: DeliveryStatus | undefined },
  page: PageRequest,
): Promise<DeliverySummaryRow[]> {
  const all = db
    .selectFrom("deliveries")
    .select(summaryColumns)
    .where("organization_id", "=", organizationId)
    .where("event", "=", event)
    .$if(status !== undefined, (query) => query.where("status", "=", status as DeliveryStatus));
  return inPages(all, ["created_at", "id"], page, "desc").execute();
}

export const findDelivery = (db: Db, organizationId: string, id: string): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();

/** Lists attempts, first to last, without the responses. */
export const listAttempts = (db: Db, delivery: string): Promise<Omit<AttemptRow, "delivery_id" | "response">[]> =>
  db
    .selectFrom("delivery_attempts")
    .select(["attempt", "attempted_at", "url", "http_status", "error", "duration_ms"])
    .where("delivery_id", "=", delivery)
    .orderBy("attempt")
    .execute();

/** Counts the attempts of each delivery. */
export async function countAttempts(db: Db, deliveries: readonly string[]): Promise<Map<string, number>> {
  if (deliveries.length === 0) return new Map();
  const rows = await db
    .selectFrom("delivery_attempts")
    .select(({ fn }) => ["delivery_id", fn.countAll<number | string>().as("count")])
    .where("delivery_id", "in", deliveries)
    .groupBy("delivery_id")
    .execute();
  return new Map(rows.map(({ delivery_id, count }) => [delivery_id, Number(count)]));
}

/**
 * Makes an ended delivery pending again. Returns false if it is already pending or does not exist
 * any more.
 */
export async function reopenDelivery(db: Db, organizationId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("deliveries")
    .set(({ selectFrom }) => ({
      status: "pending" as const,
      failure: null,
      ended_at: null,
      earlier_attempts: selectFrom("delivery_attempts")
        .select(sql<number>`coalesce(max(attempt), 0)`.as("last"))
        .where("delivery_id", "=", id),
    }))
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("status", "!=", "pending")
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await recordStatus(db, [{ id, organization_id: organizationId }], "pending");
  return true;
}

/** Lists the latest `limit` deliveries of an organization, latest first. */
export async function listDeliveries(db: Db, organizationId: string, limit: number): Promise<LoggedDelivery[]> {
  const deliveries = await db
    .selectFrom("deliveries")
    .select(summaryColumns)
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
