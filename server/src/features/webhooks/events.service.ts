/**
 * Creates webhook and callback deliveries for finished work. A delivery is inserted in the
 * transaction that ends the work; a job posts it later.
 */
import { type EventData, type EventName, events } from "@sheaf/contract/events.ts";
import { exampleOf } from "@sheaf/contract/example.ts";
import { enqueue } from "../../jobs/queue.ts";
import { now } from "../../lib/clock.ts";
import { newUlid } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { forgetDeliveries, insertDelivery } from "./deliveries.repo.ts";
import { findWebhook } from "./webhooks.repo.ts";

export { listDeliveries } from "./deliveries.repo.ts";

/**
 * Queues a delivery if the event has a webhook. Call it in the transaction that causes the event.
 */
export async function emitEvent<Name extends EventName>(
  transaction: Db,
  organizationId: string,
  event: Name,
  data: EventData<Name>,
): Promise<void> {
  if (await findWebhook(transaction, organizationId, event))
    await deliver(transaction, organizationId, { event, data, callbackUrl: null });
}

/** Queues a test event for the webhook of an event. Returns the id of the delivery. */
export const emitTest = (transaction: Db, organizationId: string, event: EventName): Promise<string> =>
  deliver(transaction, organizationId, {
    event,
    data: exampleOf(events[event].data),
    callbackUrl: null,
    test: true,
  });

/**
 * Queues a delivery to the callback URL of a request, which receives only the data of the event.
 * Call it in the transaction that causes the event.
 */
export async function emitToCallback<Name extends EventName>(
  transaction: Db,
  organizationId: string,
  event: Name,
  data: EventData<Name>,
  url: string,
): Promise<void> {
  await deliver(transaction, organizationId, { event, data, callbackUrl: url });
}

interface NewDelivery {
  event: EventName;
  data: unknown;
  callbackUrl: string | null;
  test?: boolean;
}

async function deliver(
  transaction: Db,
  organizationId: string,
  { event, data, callbackUrl, test = false }: NewDelivery,
): Promise<string> {
  const id = newUlid();
  await insertDelivery(transaction, {
    id,
    organization_id: organizationId,
    event,
    callback_url: callbackUrl,
    data: JSON.stringify(data),
    status: "pending",
    test,
    created_at: now(),
  });
  await enqueue(transaction, "delivery.send", { delivery: id }, { organizationId });
  return id;
}

const logDays = 30;
const dayMs = 86_400_000;

/** Deletes deliveries that ended more than `logDays` days ago. */
export const deleteOldDeliveries = (db: Db): Promise<void> =>
  forgetDeliveries(db, new Date(Date.now() - logDays * dayMs).toISOString());
