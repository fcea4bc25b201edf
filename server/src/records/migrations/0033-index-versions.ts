/**
 * Adds to each agent the version of its set of indexed documents. Copies of the index use the
 * version to detect changes.
 */
import type { Kysely } from "kysely";

export async function indexVersions(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("agents")
    .addColumn("index_version", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
