/** Stored replies of requests with an idempotency key. */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function idempotency(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("idempotency_keys")
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("fingerprint", "text", (c) => c.notNull())
    .addColumn("answer", "text")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addPrimaryKeyConstraint("idempotency_keys_key", ["organization_id", "key"])
    .execute();
  await db.schema.createIndex("idempotency_keys_created").on("idempotency_keys").column("created_at").execute();
}
