/** Counts failed authentication attempts per client network, across all processes. */
import type { Kysely } from "kysely";

export async function failedAttempts(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("failed_attempts")
    .addColumn("network", "text", (c) => c.primaryKey())
    .addColumn("full_at", "bigint", (c) => c.notNull())
    .execute();
  // Used to delete the rows whose full quota is available again.
  await db.schema.createIndex("failed_attempts_by_time").on("failed_attempts").column("full_at").execute();
}
