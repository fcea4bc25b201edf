/**
 * The delivery log of an organization: attempts with their times and outcomes, replay of ended
 * deliveries, and test events. For a response, the log shows only the status. If it showed the
 * body, a user could read any URL that the service can reach.
 */
import type {
  DeliveryJson,
  DeliveryStatus,
  DeliverySummaryJson,
  QueuedDeliveryJson,
} from "@sheaf/contract/deliveries.ts";
import type { EventName } from "@sheaf/contract/events.ts";
import { cancelWaiting, enqueue } from "../../jobs/queue.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Administrator } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as deliveries from "./deliveries.repo.ts";
import { bodyOf } from "./delivery-body.ts";
import { emitTest } from "./events.service.ts";
import { findWebhook } from "./webhooks.repo.ts";

export interface DeliveryLogDeps {
  db: Db;
  /** Notifies the runner of a new job. */
  wake(): void;
}

/** Lists the deliveries of an event, newest first. */
export async function listDeliveries(
  { db }: Pick<DeliveryLogDeps, "db">,
  { organizationId }: Administrator,
  filter: { event: EventName; status: DeliveryStatus | undefined },
  page: PageRequest,
): Promise<ListPage<DeliverySummaryJson>> {
  const rows = await deliveries.listDeliveriesOfEvent(db, organizationId, filter, page);
  const counts = await deliveries.countAttempts(
    db,
    rows.map(({ id }) => id),
  );
  const itemOf = (row: deliveries.DeliverySummaryRow) => summaryJson(row, counts.get(row.id) ?? 0);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], itemOf);
}

/** @throws AppError `not_found` */
export async function getDelivery(
  { db }: Pick<DeliveryLogDeps, "db">,
  { organizationId }: Administrator,
  id: string,
): Promise<DeliveryJson> {
  const row = await find(db, organizationId, id);
  const attempts = await deliveries.listAttempts(db, row.id);
  const last = attempts.at(-1);
  return {
    ...summaryJson(row, attempts.length),
    attempts,
    request_body: last ? bodyOf(row, Date.parse(last.attempted_at)).toString("utf8") : null,
  };
}

/**
 * Starts a new series of attempts of a delivery, with the same delivery id and data.
 * @throws AppError `not_found`, `webhook_not_found`; `conflict` while the delivery is pending
 */
export async function replayDelivery(
  { db, wake }: DeliveryLogDeps,
  caller: Administrator,
  id: string,
  atCommit?: AtCommit<QueuedDeliveryJson>,
): Promise<QueuedDeliveryJson> {
  const { organizationId } = caller;
  const queued = await db.transaction().execute(async (transaction) => {
    const { id: delivery, event, callback_url } = await find(transaction, organizationId, id);
    if (callback_url === null) await checkWebhook(transaction, organizationId, event);
    if (!(await deliveries.reopenDelivery(transaction, organizationId, delivery))) throw pending();
    // Deleting a webhook cancels its deliveries, but their jobs may still be waiting in the queue.
    // A waiting job would send the delivery a second time.
    if (!(await cancelWaiting(transaction, "delivery.send", { delivery }))) throw pending();
    await enqueue(transaction, "delivery.send", { delivery }, { organizationId });
    await recordAudit(transaction, caller, { action: "delivery.replayed", target: delivery, detail: { event } });
    return kept(transaction, { id: delivery, status: "pending" }, atCommit);
  });
  wake();
  return queued;
}

/**
 * Queues a test delivery to the webhook of an event.
 * @throws AppError `webhook_not_found`
 */
export async function testWebhook(
  { db, wake }: DeliveryLogDeps,
  caller: Administrator,
  event: EventName,
  atCommit?: AtCommit<QueuedDeliveryJson>,
): Promise<QueuedDeliveryJson> {
  const { organizationId } = caller;
  const queued = await db.transaction().execute(async (transaction) => {
    await checkWebhook(transaction, organizationId, event);
    const id = await emitTest(transaction, organizationId, event);
    await recordAudit(transaction, caller, { action: "webhook.tested", target: event, detail: { delivery: id } });
    return kept(transaction, { id, status: "pending" }, atCommit);
  });
  wake();
  return queued;
}

/** Stores the reply for the idempotency key of the request, and returns it. */
async function kept(
  transaction: Db,
  queued: QueuedDeliveryJson,
  atCommit: AtCommit<QueuedDeliveryJson> | undefined,
): Promise<QueuedDeliveryJson> {
  await atCommit?.(transaction, queued);
  return queued;
}

const pending = () => new AppError("conflict", undefined, { message: "The delivery is still pending." });

async function checkWebhook(db: Db, organizationId: string, event: EventName): Promise<void> {
  if (!(await findWebhook(db, organizationId, event))) throw new AppError("webhook_not_found");
}

const ulid = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i;

/** @throws AppError `not_found` */
async function find(db: Db, organizationId: string, id: string): Promise<deliveries.DeliveryRow> {
  const row = ulid.test(id) ? await deliveries.findDelivery(db, organizationId, id.toUpperCase()) : undefined;
  if (row === undefined) throw new AppError("not_found", undefined, { message: "No such delivery." });
  return row;
}

const summaryJson = (row: deliveries.DeliverySummaryRow, attempts: number): DeliverySummaryJson => ({
  id: row.id,
  event: row.event,
  kind: row.callback_url === null ? "webhook" : "callback",
  status: row.status,
  failure: row.failure,
  test: Boolean(row.test),
  attempts_count: attempts,
  created_at: row.created_at,
  ended_at: row.ended_at,
});
