/**
 * The ledger of language model calls: how much was sent, to whom and on whose behalf. Contents are
 * not stored.
 */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function modelCalls(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("model_calls")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("purpose", "text", (c) => c.notNull())
    .addColumn("endpoint", "text", (c) => c.notNull())
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("bytes", "bigint", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("input_tokens", "bigint", (c) => c.notNull())
    .addColumn("output_tokens", "bigint", (c) => c.notNull())
    .addColumn("estimated", types.flag, (c) => c.notNull())
    .addColumn("month", "text", (c) => c.notNull())
    .addColumn("created_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("model_calls_month").on("model_calls").columns(["organization_id", "month"]).execute();
}
