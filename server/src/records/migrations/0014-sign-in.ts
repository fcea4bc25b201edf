/**
 * Email addresses that several users may share, limits on password guessing, and the expiry of
 * credentials.
 */
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function signIn(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  // SQLite cannot drop the constraint that makes users.email unique, so the address moves to a new
  // column.
  await db.schema.alterTable("users").addColumn("address", "text").execute();
  await sql`update users set address = email`.execute(db);
  await db.schema.createIndex("users_address").on("users").column("address").execute();

  await db.schema
    .createTable("sign_in_limits")
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("network", "text", (c) => c.notNull())
    .addColumn("full_at", "bigint", (c) => c.notNull())
    .addColumn("succeeded_at", types.time)
    .addPrimaryKeyConstraint("sign_in_limits_key", ["subject", "network"])
    .execute();

  await db.schema.alterTable("credentials").addColumn("expires_at", types.time).execute();
}
