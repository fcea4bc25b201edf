/** SQL of usage entries. */
import type { Insertable } from "kysely";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";

export async function insertUsageEntry(db: Db, entry: Insertable<Tables["usage_entries"]>): Promise<void> {
  await db.insertInto("usage_entries").values(entry).execute();
}
