/** SQL queries for webhooks. */
import type { EventName } from "@sheaf/contract/events.ts";
import type { Selectable } from "kysely";
import type { PageRequest } from "../../lib/paging.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";

export type WebhookRow = Selectable<Tables["webhooks"]>;

/** Inserts a webhook. Returns false if the event already has one. */
export async function insertWebhook(db: Db, webhook: WebhookRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("webhooks")
    .values(webhook)
    .onConflict((conflict) => conflict.columns(["organization_id", "event"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Changes the URL of a webhook. Returns false if no webhook is registered for the event. */
export async function updateUrl(
  db: Db,
  { organization_id, event, url, updated_at }: Pick<WebhookRow, "organization_id" | "event" | "url" | "updated_at">,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("webhooks")
    .set({ url, updated_at })
    .where("organization_id", "=", organization_id)
    .where("event", "=", event)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export function listWebhooks(db: Db, organizationId: string, page: PageRequest) {
  const all = db
    .selectFrom("webhooks")
    .select(["event", "url", "created_at", "updated_at"])
    .where("organization_id", "=", organizationId);
  return inPages(all, ["created_at", "event"], page).execute();
}

export const findWebhook = (db: Db, organizationId: string, event: EventName): Promise<WebhookRow | undefined> =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("event", "=", event)
    .executeTakeFirst();

/** Deletes a webhook. Returns false if no webhook is registered for the event. */
export async function deleteWebhook(db: Db, organizationId: string, event: EventName): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("webhooks")
    .where("organization_id", "=", organizationId)
    .where("event", "=", event)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
