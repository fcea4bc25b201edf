/** Provisioning by SCIM: tokens, attributes of members, groups of the identity provider. */
import type { CreateTableBuilder, Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function scim(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  const organization = <T extends string, C extends string>(builder: CreateTableBuilder<T, C>) =>
    builder.addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"));

  await db.schema
    .createTable("scim_tokens")
    .addColumn("id", "text", (c) => c.primaryKey())
    .$call(organization)
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("last_used_at", types.time)
    .execute();
  await db.schema.createIndex("scim_tokens_organization").on("scim_tokens").column("organization_id").execute();

  await db.schema
    .createTable("scim_users")
    .addColumn("member_id", "text", (c) => c.primaryKey().references("members.id").onDelete("cascade"))
    .$call(organization)
    .addColumn("user_name", "text", (c) => c.notNull())
    .addColumn("user_name_key", "text", (c) => c.notNull())
    .addColumn("external_id", "text")
    .addColumn("display_name", "text")
    .addColumn("formatted_name", "text")
    .addColumn("given_name", "text")
    .addColumn("family_name", "text")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("updated_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("scim_users_name")
    .unique()
    .on("scim_users")
    .columns(["organization_id", "user_name_key"])
    .execute();
  await db.schema
    .createIndex("scim_users_external_id")
    .on("scim_users")
    .columns(["organization_id", "external_id"])
    .execute();

  await db.schema
    .createTable("scim_groups")
    .addColumn("id", "text", (c) => c.primaryKey())
    .$call(organization)
    .addColumn("display_name", "text", (c) => c.notNull())
    .addColumn("external_id", "text")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("updated_at", types.time, (c) => c.notNull())
    .execute();
  // The mapping of groups at sign-on identifies a group of the provider by its display name, so the
  // name must be unique.
  await db.schema
    .createIndex("scim_groups_name")
    .unique()
    .on("scim_groups")
    .columns(["organization_id", "display_name"])
    .execute();

  await db.schema
    .createTable("scim_group_members")
    .addColumn("group_id", "text", (c) => c.notNull().references("scim_groups.id").onDelete("cascade"))
    .addColumn("member_id", "text", (c) => c.notNull().references("members.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("scim_group_members_key", ["group_id", "member_id"])
    .execute();
  await db.schema.createIndex("scim_group_members_member").on("scim_group_members").column("member_id").execute();
}
