/**
 * Idempotency keys per sender, and the list of live processes. A reply is stored in the same
 * transaction as the work of its request. The old table `idempotency_keys` is kept for processes of
 * the previous version.
 */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function requestKeys(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("live_processes")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("worker", "text", (c) => c.notNull())
    .addColumn("beats", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("request_keys")
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("sender", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("fingerprint", "text", (c) => c.notNull())
    .addColumn("claim", "text", (c) => c.notNull())
    .addColumn("process", "text", (c) => c.notNull())
    .addColumn("reply", "text")
    .addColumn("reference", "text")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addPrimaryKeyConstraint("request_keys_key", ["organization_id", "sender", "key"])
    .execute();
  await db.schema.createIndex("request_keys_created").on("request_keys").column("created_at").execute();
}
