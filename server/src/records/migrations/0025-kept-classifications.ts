/** Classifications kept for review. */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function keptClassifications(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("kept_classifications")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addColumn("filename", "text", (c) => c.notNull())
    .addColumn("mime", "text", (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("pages", "integer", (c) => c.notNull())
    .addColumn("data", "text", (c) => c.notNull())
    .addColumn("corrected_segments", "text")
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("updated_at", types.time, (c) => c.notNull())
    .addColumn("expires_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("kept_classifications_of_organization")
    .on("kept_classifications")
    .columns(["organization_id", "created_at"])
    .execute();
  await db.schema.createIndex("kept_classifications_expiry").on("kept_classifications").column("expires_at").execute();
}
