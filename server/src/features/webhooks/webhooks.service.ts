/** Webhooks: one URL per event per organization. Each webhook has a secret, which is shown once. */
import { randomBytes } from "node:crypto";
import { type EventName, webhookSecretPrefix } from "@sheaf/contract/events.ts";
import type { WebhookJson } from "@sheaf/contract/webhooks.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Keys } from "../../lib/keys.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import { seal, unseal } from "../../lib/sealed.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { endPendingOfWebhook } from "./deliveries.repo.ts";
import * as webhooks from "./webhooks.repo.ts";

type Tenant = Pick<Caller, "organizationId">;

export interface WebhookDeps {
  db: Db;
  keys: Keys;
  /** Returns whether posting to a URL seems to be allowed. Each delivery checks the URL again. */
  mayPost(url: string): Promise<boolean>;
  /** Aborts the attempts in progress of these deliveries. */
  cancelDeliveries(deliveries: readonly string[]): void;
}

const secretBytes = 32;

/**
 * Throws if requests must not be posted to the URL. The error is the same for every refused URL, so
 * that it reveals nothing about the network.
 * @throws AppError `invalid_request`
 */
export async function checkReceiver(
  { mayPost }: Pick<WebhookDeps, "mayPost">,
  field: string,
  url: string,
): Promise<void> {
  if (await mayPost(url)) return;
  const message = "must be a public https:// URL";
  throw new AppError("invalid_request", { issues: [{ path: `/${field}`, message }] });
}

/**
 * Sets the URL of an event. Returns the secret if the event had no webhook before.
 * @throws AppError `invalid_request`
 */
export async function putWebhook(
  deps: WebhookDeps,
  caller: Caller,
  event: EventName,
  url: string,
): Promise<{ secret: string | undefined }> {
  await checkReceiver(deps, "url", url);
  const secret = `${webhookSecretPrefix}${randomBytes(secretBytes).toString("base64")}`;
  const at = now();
  const { organizationId } = caller;
  const row = { organization_id: organizationId, event, url, created_at: at, updated_at: at };
  const sealed = seal(deps.keys, placeOf(organizationId, event), secret);
  // Only the host is recorded, because any other part of a URL may contain a secret.
  const entry = { target: event, detail: { host: new URL(url).host } };
  return deps.db.transaction().execute(async (transaction) => {
    // Tries to insert and then to update the webhook, until one of the two succeeds. Between them,
    // another request may delete or create the webhook.
    for (;;) {
      if (await webhooks.insertWebhook(transaction, { ...row, secret: sealed })) {
        await recordAudit(transaction, caller, { action: "webhook.created", ...entry });
        return { secret };
      }
      if (await webhooks.updateUrl(transaction, row)) {
        await recordAudit(transaction, caller, { action: "webhook.changed", ...entry });
        return { secret: undefined };
      }
    }
  });
}

/** Lists the webhooks without their secrets. */
export async function listWebhooks(
  { db }: Pick<WebhookDeps, "db">,
  { organizationId }: Tenant,
  page: PageRequest,
): Promise<ListPage<WebhookJson>> {
  const rows = await webhooks.listWebhooks(db, organizationId, page);
  return pageOf(
    rows,
    page,
    ({ created_at, event }) => [created_at, event],
    (row) => row,
  );
}

/**
 * Deletes a webhook. Once this resolves, no further attempt is made to deliver to it.
 * @throws AppError `webhook_not_found`
 */
export async function deleteWebhook(deps: WebhookDeps, caller: Caller, event: EventName): Promise<void> {
  const { organizationId } = caller;
  const pending = await deps.db.transaction().execute(async (transaction) => {
    if (!(await webhooks.deleteWebhook(transaction, organizationId, event))) throw new AppError("webhook_not_found");
    await recordAudit(transaction, caller, { action: "webhook.deleted", target: event });
    const end = { failure: "The webhook was deleted.", ended_at: now() };
    return endPendingOfWebhook(transaction, organizationId, event, end);
  });
  deps.cancelDeliveries(pending);
}

export interface Receiver {
  url: string;
  secret: string;
}

/** Returns the current receiver of an event; undefined if the event has no webhook. */
export async function findReceiver(
  { db, keys }: Pick<WebhookDeps, "db" | "keys">,
  { organizationId }: Tenant,
  event: EventName,
): Promise<Receiver | undefined> {
  const row = await webhooks.findWebhook(db, organizationId, event);
  return row && { url: row.url, secret: unseal(keys, placeOf(organizationId, event), row.secret) };
}

const placeOf = (organizationId: string, event: EventName): string => `webhook/${organizationId}/${event}`;
