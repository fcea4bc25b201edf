/** Reservations of language model tokens, and token counters per organization. */
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function tokenReservations(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("model_calls").addColumn("reserved_tokens", "bigint").execute();
  await db.schema.alterTable("model_calls").addColumn("reserved_until", types.time).execute();
  await sql`create index model_calls_reserved on model_calls (organization_id) where reserved_tokens is not null`.execute(
    db,
  );
  await db.schema
    .createTable("token_usage")
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("month", "text", (c) => c.notNull())
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("tokens", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("token_usage_key", ["organization_id", "month", "channel"])
    .execute();
  // `usage_entries` contains only successful work. `model_calls` contains all calls, but only those
  // made since the table was introduced. So the larger of the two sums is used. `usage_entries` is
  // no longer written. It is kept so that a downgrade to the previous version is possible.
  await sql`
    insert into token_usage (organization_id, month, channel, tokens)
    select organization_id, month, channel, max(tokens) from (
      select organization_id, month, channel, sum(tokens) as tokens
      from usage_entries group by organization_id, month, channel
      union all
      select organization_id, month, channel, sum(input_tokens + output_tokens) as tokens
      from model_calls group by organization_id, month, channel
    ) as counted
    where tokens > 0
    group by organization_id, month, channel`.execute(db);
}
