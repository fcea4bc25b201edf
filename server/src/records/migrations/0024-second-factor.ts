/** Second factors of users: authenticator apps with recovery codes, and passkeys. */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function secondFactor(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("second_factors")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("last_step", "bigint", (c) => c.notNull())
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("confirmed_at", types.time)
    .execute();

  await db.schema
    .createTable("recovery_codes")
    .addColumn("user_id", "text", (c) => c.notNull().references("second_factors.user_id").onDelete("cascade"))
    .addColumn("code_hash", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("recovery_codes_key", ["user_id", "code_hash"])
    .execute();

  await db.schema
    .createTable("passkeys")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("credential_id", "text", (c) => c.notNull().unique())
    .addColumn("public_key", "text", (c) => c.notNull())
    .addColumn("host", "text", (c) => c.notNull())
    .addColumn("counter", "bigint", (c) => c.notNull())
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("last_used_at", types.time)
    .execute();
  await db.schema.createIndex("passkeys_user").on("passkeys").column("user_id").execute();

  await db.schema
    .createTable("used_challenges")
    .addColumn("challenge_hash", "text", (c) => c.primaryKey())
    .addColumn("expires_at", types.time, (c) => c.notNull())
    .execute();
}
