/** Organizations and their people, credentials, agents, threads, extractions, usage. */
import type { CreateTableBuilder, Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function foundation(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  const table = (name: string) => db.schema.createTable(name);
  const id = <T extends string, C extends string>(builder: CreateTableBuilder<T, C>) =>
    builder.addColumn("id", "text", (c) => c.primaryKey());
  const times = <T extends string, C extends string>(builder: CreateTableBuilder<T, C>) =>
    builder
      .addColumn("created_at", types.time, (c) => c.notNull())
      .addColumn("updated_at", types.time, (c) => c.notNull());
  const created = <T extends string, C extends string>(builder: CreateTableBuilder<T, C>) =>
    builder.addColumn("created_at", types.time, (c) => c.notNull());
  const organization = <T extends string, C extends string>(builder: CreateTableBuilder<T, C>) =>
    builder.addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"));

  const unique = (name: string, on: string, columns: string[]) =>
    db.schema.createIndex(name).unique().on(on).columns(columns).execute();

  await table("installation")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("key_fingerprint", "text", (c) => c.notNull())
    .$call(created)
    .execute();

  await table("users")
    .$call(id)
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("email_verified", types.flag, (c) => c.notNull())
    .addColumn("image", "text")
    .$call(times)
    .execute();

  await table("organizations")
    .$call(id)
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("slug", "text", (c) => c.notNull().unique())
    .addColumn("logo", "text")
    .addColumn("metadata", "text")
    .addColumn("api_enabled", types.flag, (c) => c.notNull())
    .addColumn("max_agents", "bigint")
    .addColumn("max_documents_per_agent", "bigint")
    .addColumn("max_upload_mb", "bigint")
    .addColumn("included_api_tokens", "bigint")
    .$call(times)
    .execute();

  await table("members")
    .$call(id)
    .$call(organization)
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .$call(created)
    .execute();
  await unique("members_organization_user", "members", ["organization_id", "user_id"]);

  await table("groups")
    .$call(id)
    .$call(organization)
    .addColumn("name", "text", (c) => c.notNull())
    .$call(times)
    .execute();
  await unique("groups_organization_name", "groups", ["organization_id", "name"]);

  await table("group_members")
    .$call(id)
    .addColumn("group_id", "text", (c) => c.notNull().references("groups.id").onDelete("cascade"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .$call(created)
    .execute();
  await unique("group_members_group_user", "group_members", ["group_id", "user_id"]);

  await table("credentials")
    .$call(id)
    .$call(organization)
    .addColumn("member_id", "text", (c) => c.notNull().references("members.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("secret_hash", "text", (c) => c.notNull())
    .$call(created)
    .addColumn("revoked_at", types.time)
    .execute();
  await db.schema.createIndex("credentials_organization").on("credentials").column("organization_id").execute();

  await table("agents")
    .$call(id)
    .$call(organization)
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("visibility", "text", (c) => c.notNull())
    .addColumn("owner_user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("group_id", "text", (c) => c.references("groups.id").onDelete("set null"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("description", "text")
    .addColumn("configuration", "text", (c) => c.notNull())
    .$call(times)
    .execute();
  await db.schema.createIndex("agents_organization").on("agents").columns(["organization_id", "created_at"]).execute();

  await table("threads")
    .$call(id)
    .$call(organization)
    .addColumn("agent_id", "text")
    .$call(created)
    .addColumn("archived_at", types.time)
    .execute();
  await db.schema.createIndex("threads_agent").on("threads").columns(["organization_id", "agent_id"]).execute();

  await table("messages")
    .$call(id)
    .addColumn("thread_id", "text", (c) => c.notNull().references("threads.id").onDelete("cascade"))
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("content", "text", (c) => c.notNull())
    .$call(created)
    .execute();
  await db.schema.createIndex("messages_thread").on("messages").columns(["thread_id", "created_at"]).execute();

  await table("extractions")
    .$call(id)
    .$call(organization)
    .addColumn("agent_id", "text")
    .addColumn("thread_id", "text", (c) => c.notNull().references("threads.id").onDelete("cascade"))
    .addColumn("filename", "text", (c) => c.notNull())
    .addColumn("pages", "integer", (c) => c.notNull())
    .addColumn("tokens", "bigint", (c) => c.notNull())
    .addColumn("duration_ms", "bigint", (c) => c.notNull())
    .$call(created)
    .execute();
  await db.schema
    .createIndex("extractions_organization")
    .on("extractions")
    .columns(["organization_id", "created_at"])
    .execute();

  await table("usage_entries")
    .$call(id)
    .$call(organization)
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("tokens", "bigint", (c) => c.notNull())
    .addColumn("month", "text", (c) => c.notNull())
    .$call(created)
    .execute();
  await db.schema
    .createIndex("usage_entries_month")
    .on("usage_entries")
    .columns(["organization_id", "month", "channel"])
    .execute();
}
