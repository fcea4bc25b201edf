/** SQL queries for the counters of used tokens. */
import { sql } from "kysely";
import type { Db } from "../../records/records.ts";
import type { UsageChannel } from "../../records/usage-tables.ts";

export interface TokenCounter {
  organizationId: string;
  /** Calendar month in UTC, `YYYY-MM`. */
  month: string;
  channel: UsageChannel;
}

export async function addTokens(
  db: Db,
  { organizationId, month, channel }: TokenCounter,
  tokens: number,
): Promise<void> {
  await db
    .insertInto("token_usage")
    .values({ organization_id: organizationId, month, channel, tokens })
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "month", "channel"])
        .doUpdateSet({ tokens: sql<number>`token_usage.tokens + excluded.tokens` }),
    )
    .execute();
}

/** Returns the tokens used in a month, by channel. Channels without usage are left out. */
export async function findTokens(
  db: Db,
  organizationId: string,
  month: string,
): Promise<Partial<Record<UsageChannel, number>>> {
  const rows = await db
    .selectFrom("token_usage")
    .select(["channel", "tokens"])
    .where("organization_id", "=", organizationId)
    .where("month", "=", month)
    .execute();
  return Object.fromEntries(rows.map(({ channel, tokens }) => [channel, Number(tokens)]));
}
