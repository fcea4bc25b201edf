/**
 * Extractions kept for review, and how long an organization keeps them; replayed deliveries and
 * test events.
 */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function reviewAndReplay(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("organizations").addColumn("keep_extractions_days", "integer").execute();
  await db.schema
    .createTable("kept_extractions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("agent_id", "text", (c) => c.references("agents.id").onDelete("cascade"))
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addColumn("filename", "text", (c) => c.notNull())
    .addColumn("mime", "text", (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("pages", "integer", (c) => c.notNull())
    .addColumn("params", "text", (c) => c.notNull())
    .addColumn("data", "text", (c) => c.notNull())
    .addColumn("evidence", "text", (c) => c.notNull())
    .addColumn("unsure", "integer", (c) => c.notNull())
    .addColumn("corrections", "text", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("reviewed_by", "text")
    .addColumn("reviewed_at", types.time)
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("updated_at", types.time, (c) => c.notNull())
    .addColumn("expires_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("kept_extractions_of_organization")
    .on("kept_extractions")
    .columns(["organization_id", "created_at"])
    .execute();
  // When an agent is deleted, the database uses this index to find the rows to delete with it.
  await db.schema.createIndex("kept_extractions_agent").on("kept_extractions").column("agent_id").execute();
  await db.schema.createIndex("kept_extractions_expiry").on("kept_extractions").column("expires_at").execute();

  await db.schema
    .alterTable("deliveries")
    .addColumn("earlier_attempts", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("deliveries")
    .addColumn("test", types.flag, (c) => c.notNull().defaultTo(false))
    .execute();
}
