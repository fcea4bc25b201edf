/** Records which values of a kept extraction come from what the extractor had learned. */
import type { Kysely } from "kysely";

export async function recalledValues(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("kept_extractions")
    .addColumn("from_memory", "text", (column) => column.notNull().defaultTo("[]"))
    .execute();
}
