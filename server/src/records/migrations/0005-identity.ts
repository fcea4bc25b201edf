/**
 * Passwords, sessions and invitations in the schema of Better Auth; the user and the channel of
 * each operation and thread.
 */
import type { CreateTableBuilder, Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function identity(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  const table = (name: string) => db.schema.createTable(name).addColumn("id", "text", (column) => column.primaryKey());
  const times = <T extends string, C extends string>(builder: CreateTableBuilder<T, C>) =>
    builder
      .addColumn("created_at", types.time, (column) => column.notNull())
      .addColumn("updated_at", types.time, (column) => column.notNull());
  const user = <T extends string, C extends string>(builder: CreateTableBuilder<T, C>) =>
    builder.addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"));

  await table("accounts")
    .$call(user)
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("provider_id", "text", (column) => column.notNull())
    .addColumn("access_token", "text")
    .addColumn("refresh_token", "text")
    .addColumn("id_token", "text")
    .addColumn("access_token_expires_at", types.time)
    .addColumn("refresh_token_expires_at", types.time)
    .addColumn("scope", "text")
    .addColumn("password", "text")
    .$call(times)
    .execute();
  await db.schema
    .createIndex("accounts_user")
    .unique()
    .on("accounts")
    .columns(["user_id", "provider_id", "account_id"])
    .execute();

  await table("sessions")
    .$call(user)
    .addColumn("token", "text", (column) => column.notNull().unique())
    .addColumn("expires_at", types.time, (column) => column.notNull())
    .addColumn("ip_address", "text")
    .addColumn("user_agent", "text")
    .addColumn("active_organization_id", "text", (column) => column.references("organizations.id").onDelete("set null"))
    .$call(times)
    .execute();
  await db.schema.createIndex("sessions_user").on("sessions").column("user_id").execute();

  await table("verifications")
    .addColumn("identifier", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("expires_at", types.time, (column) => column.notNull())
    .$call(times)
    .execute();

  await table("invitations")
    .addColumn("organization_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("inviter_id", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("expires_at", types.time, (column) => column.notNull())
    .addColumn("created_at", types.time, (column) => column.notNull())
    .execute();
  await db.schema.createIndex("invitations_organization").on("invitations").column("organization_id").execute();

  await db.schema.alterTable("credentials").addColumn("last_used_at", types.time).execute();
  const channel = (name: string) =>
    db.schema
      .alterTable(name)
      .addColumn("channel", "text", (column) => column.notNull().defaultTo("api"))
      .execute();
  await channel("threads");
  await channel("operations");
  await db.schema.alterTable("threads").addColumn("user_id", "text").execute();
  await db.schema.alterTable("operations").addColumn("user_id", "text").execute();
}
