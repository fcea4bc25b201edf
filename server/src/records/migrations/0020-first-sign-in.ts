/** Links with which the first administrator signs in once. */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function firstSignIn(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("first_sign_in_links")
    .addColumn("worker", "text", (c) => c.primaryKey())
    .addColumn("token_hash", "text", (c) => c.notNull())
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("expires_at", types.time, (c) => c.notNull())
    .execute();
}
