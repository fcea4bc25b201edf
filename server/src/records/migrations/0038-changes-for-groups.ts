/**
 * Adds the group to which a change of state is reported. It is used when an agent that only a group
 * can see is deleted.
 */
import type { Kysely } from "kysely";

export async function changesForGroups(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("state_changes").addColumn("group_id", "text").execute();
}
