/** Sign-on with the identity provider of an organization: domains, configuration, user accounts. */
import type { CreateTableBuilder, Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function signOn(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  const organization = <T extends string, C extends string>(builder: CreateTableBuilder<T, C>) =>
    builder.addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"));

  await db.schema
    .createTable("organization_domains")
    .addColumn("domain", "text", (c) => c.primaryKey())
    .$call(organization)
    .addColumn("created_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("organization_domains_organization")
    .on("organization_domains")
    .column("organization_id")
    .execute();

  await db.schema
    .createTable("sign_on_providers")
    .addColumn("organization_id", "text", (c) => c.primaryKey().references("organizations.id").onDelete("cascade"))
    .addColumn("issuer", "text", (c) => c.notNull())
    .addColumn("client_id", "text", (c) => c.notNull())
    .addColumn("client_secret", "text", (c) => c.notNull())
    .addColumn("scope", "text", (c) => c.notNull())
    .addColumn("groups_claim", "text")
    .addColumn("administrator_value", "text")
    .addColumn("enforced", types.flag, (c) => c.notNull())
    .addColumn("break_glass_member_id", "text", (c) => c.references("members.id").onDelete("set null"))
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("updated_at", types.time, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable("sign_on_groups")
    .$call(organization)
    .addColumn("value", "text", (c) => c.notNull())
    .addColumn("group_id", "text", (c) => c.notNull().references("groups.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("sign_on_groups_key", ["organization_id", "value", "group_id"])
    .execute();

  await db.schema
    .createTable("sign_on_identities")
    .$call(organization)
    .addColumn("issuer", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("last_used_at", types.time, (c) => c.notNull())
    .addPrimaryKeyConstraint("sign_on_identities_key", ["organization_id", "issuer", "subject"])
    .execute();
  // Allows each user only one provider account per organization, so that a second account with the
  // same email address cannot be linked to the user.
  await db.schema
    .createIndex("sign_on_identities_user")
    .unique()
    .on("sign_on_identities")
    .columns(["organization_id", "user_id"])
    .execute();

  // Deletes the session together with its organization. If the reference were only set to null, the
  // session would give access to other organizations.
  await db.schema
    .alterTable("sessions")
    .addColumn("sign_on_organization_id", "text", (c) => c.references("organizations.id").onDelete("cascade"))
    .execute();
}
