/** Changes of state that are reported to a group: the deletion of an agent. */
import type { Kysely } from "kysely";

export async function changesForGroups(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("state_changes").addColumn("group_id", "text").execute();
}
