/** SQL of usage entries. */
import type { Insertable } from "kysely";
import type { Db } from "../../records/records.ts";
import type { Tables, UsageChannel } from "../../records/tables.ts";

export async function insertUsageEntry(db: Db, entry: Insertable<Tables["usage_entries"]>): Promise<void> {
  await db.insertInto("usage_entries").values(entry).execute();
}

/** Tokens of a month by channel; a channel without entries is missing. */
export async function sumTokens(
  db: Db,
  organizationId: string,
  month: string,
): Promise<Partial<Record<UsageChannel, number>>> {
  const rows = await db
    .selectFrom("usage_entries")
    .select(({ fn }) => ["channel", fn.sum<number | string>("tokens").as("tokens")])
    .where("organization_id", "=", organizationId)
    .where("month", "=", month)
    .groupBy("channel")
    .execute();
  return Object.fromEntries(rows.map(({ channel, tokens }) => [channel, Number(tokens)]));
}
