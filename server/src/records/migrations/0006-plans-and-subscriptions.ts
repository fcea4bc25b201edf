/**
 * Replaces the limits of each organization with named plans. Adds Stripe customers and
 * subscriptions.
 */
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

const limits = ["max_agents", "max_documents_per_agent", "max_upload_mb", "included_api_tokens"];

export async function plansAndSubscriptions(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  const columns = sql.join(limits.map((limit) => sql.ref(limit)));
  await db.schema
    .createTable("plans")
    .addColumn("name", "text", (c) => c.primaryKey())
    .$call((table) => limits.reduce((built, limit) => built.addColumn(limit, "bigint"), table))
    .addColumn("is_default", types.flag, (c) => c.notNull())
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("updated_at", types.time, (c) => c.notNull())
    .execute();
  await sql`create unique index plans_default on plans (is_default) where is_default`.execute(db);

  await db.schema
    .alterTable("organizations")
    .addColumn("plan", "text", (c) => c.references("plans.name"))
    .execute();
  // Each organization that has limits gets its own plan, named after the organization's slug.
  const limited = sql.join(
    limits.map((limit) => sql`${sql.ref(limit)} is not null`),
    sql` or `,
  );
  await sql`insert into plans (name, ${columns}, is_default, created_at, updated_at)
    select slug, ${columns}, false, updated_at, updated_at from organizations where ${limited}`.execute(db);
  await sql`update organizations set plan = slug where ${limited}`.execute(db);
  for (const limit of limits) await db.schema.alterTable("organizations").dropColumn(limit).execute();

  await db.schema
    .createTable("stripe_customers")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("version", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("stripe_customers_organization")
    .on("stripe_customers")
    .column("organization_id")
    .execute();

  // `customer_id` is not a foreign key, because events about a subscription may arrive before those
  // about its customer.
  await db.schema
    .createTable("stripe_subscriptions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("customer_id", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("billing_cycle", "text")
    .addColumn("current_period_end", types.time)
    .addColumn("price_id", "text")
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("plan", "text", (c) => c.references("plans.name"))
    .addColumn("plan_version", "text", (c) => c.notNull())
    .addColumn("started_at", types.time, (c) => c.notNull())
    .addColumn("updated_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("stripe_subscriptions_customer")
    .on("stripe_subscriptions")
    .column("customer_id")
    .execute();
}
