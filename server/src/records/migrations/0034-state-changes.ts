/** Changes of state that running processes report to their clients. Rows are kept for minutes. */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function stateChanges(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  // There are no foreign keys, because a change outlives a deleted object.
  await db.schema
    .createTable("state_changes")
    .addColumn("sequence", types.sequence, (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("object_id", "text", (c) => c.notNull())
    .addColumn("agent_id", "text")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("audience", "text", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("state_changes_by_age").on("state_changes").column("created_at").execute();
}
