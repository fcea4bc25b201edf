/** Versions of the set of indexed documents of each agent, which the copies of the index follow. */
import type { Kysely } from "kysely";

export async function indexVersions(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("agents")
    .addColumn("index_version", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
