/**
 * Webhooks and their deliveries; operations, which are asynchronous extractions and
 * classifications.
 */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function webhooksAndOperations(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("webhooks")
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("event", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("updated_at", types.time, (c) => c.notNull())
    .addPrimaryKeyConstraint("webhooks_key", ["organization_id", "event"])
    .execute();

  await db.schema
    .createTable("deliveries")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("event", "text", (c) => c.notNull())
    .addColumn("callback_url", "text")
    .addColumn("data", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("failure", "text")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("ended_at", types.time)
    .execute();
  await db.schema
    .createIndex("deliveries_of_organization")
    .on("deliveries")
    .columns(["organization_id", "created_at"])
    .execute();
  await db.schema
    .createTable("delivery_attempts")
    .addColumn("delivery_id", "text", (c) => c.notNull().references("deliveries.id").onDelete("cascade"))
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("http_status", "integer")
    .addColumn("error", "text")
    .addColumn("response", "text")
    .addColumn("duration_ms", "integer", (c) => c.notNull())
    .addColumn("attempted_at", types.time, (c) => c.notNull())
    .addPrimaryKeyConstraint("delivery_attempts_key", ["delivery_id", "attempt"])
    .execute();

  await db.schema
    .createTable("operations")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("agent_id", "text")
    .addColumn("request", "text", (c) => c.notNull())
    .addColumn("callback_url", "text")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("outcome", "text")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("ended_at", types.time)
    .execute();
  await db.schema
    .createIndex("operations_of_organization")
    .on("operations")
    .columns(["organization_id", "status"])
    .execute();
  await db.schema.createIndex("operations_ended").on("operations").column("ended_at").execute();
}
