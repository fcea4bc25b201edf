/** Changes of state of which a group is notified: those of a deleted agent. */
import type { Kysely } from "kysely";

export async function changesForGroups(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("state_changes").addColumn("group_id", "text").execute();
}
