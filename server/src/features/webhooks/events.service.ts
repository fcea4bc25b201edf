/**
 * Webhook and callback deliveries of finished work: inserted in the transaction that ends the work,
 * posted by a job.
 */
import type { EventData, EventName } from "@sheaf/contract/events.ts";
import { enqueue } from "../../jobs/queue.ts";
import { now } from "../../lib/clock.ts";
import { newUlid } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { forgetDeliveries, insertDelivery } from "./deliveries.repo.ts";
import { findWebhook } from "./webhooks.repo.ts";

export { listDeliveries } from "./deliveries.repo.ts";

/**
 * Queues a webhook delivery if one is configured. Call in the transaction that causes the event.
 */
export async function emitEvent<Name extends EventName>(
  transaction: Db,
  organizationId: string,
  event: Name,
  data: EventData<Name>,
): Promise<void> {
  if (await findWebhook(transaction, organizationId, event))
    await deliver(transaction, organizationId, event, data, null);
}

/**
 * Queues a delivery to the callback URL of a request; it receives only the data of the event. Call
 * in the same transaction.
 */
export const emitToCallback = <Name extends EventName>(
  transaction: Db,
  organizationId: string,
  event: Name,
  data: EventData<Name>,
  url: string,
): Promise<void> => deliver(transaction, organizationId, event, data, url);

async function deliver(
  transaction: Db,
  organizationId: string,
  event: EventName,
  data: unknown,
  callbackUrl: string | null,
): Promise<void> {
  const id = newUlid();
  await insertDelivery(transaction, {
    id,
    organization_id: organizationId,
    event,
    callback_url: callbackUrl,
    data: JSON.stringify(data),
    status: "pending",
    created_at: now(),
  });
  await enqueue(transaction, "delivery.send", { delivery: id }, { organizationId });
}

const logDays = 30;
const dayMs = 86_400_000;

/** Deletes deliveries that ended long ago. */
export const deleteOldDeliveries = (db: Db): Promise<void> =>
  forgetDeliveries(db, new Date(Date.now() - logDays * dayMs).toISOString());
