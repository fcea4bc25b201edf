/** SQL queries for Stripe customers and their subscriptions. */
import type { Insertable, Selectable } from "kysely";
import type { Db } from "../../records/records.ts";
import type { StripeSubscriptionsTable } from "../../records/usage-tables.ts";

export type SubscriptionRow = Selectable<StripeSubscriptionsTable>;

/**
 * Statuses in which a subscription grants its plan. In `past_due`, the payment is still being
 * retried.
 */
export const grantingStatuses = ["active", "trialing", "past_due"];

/** Lists the subscriptions of all customers of an organization. */
export const listSubscriptions = (db: Db, organizationId: string): Promise<SubscriptionRow[]> =>
  db
    .selectFrom("stripe_subscriptions as s")
    .innerJoin("stripe_customers as c", "c.id", "s.customer_id")
    .selectAll("s")
    .where("c.organization_id", "=", organizationId)
    .orderBy("s.started_at", "desc")
    .orderBy("s.id", "desc")
    .execute();

/**
 * Returns the subscription and locks it until the transaction ends. Inserts it from `row` if it is
 * unknown.
 */
export async function lockSubscription(db: Db, row: Insertable<StripeSubscriptionsTable>): Promise<SubscriptionRow> {
  await db
    .insertInto("stripe_subscriptions")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  return db
    .updateTable("stripe_subscriptions")
    .set(({ ref }) => ({ version: ref("version") }))
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateSubscription(
  db: Db,
  id: string,
  changes: Partial<Omit<SubscriptionRow, "id">>,
): Promise<void> {
  await db.updateTable("stripe_subscriptions").set(changes).where("id", "=", id).execute();
}

export interface CustomerRow {
  id: string;
  organization_id: string;
  version: string;
}

/**
 * Returns the customer and locks it until the transaction ends. Inserts it from `row` if it is
 * unknown.
 */
export async function lockCustomer(db: Db, row: CustomerRow): Promise<CustomerRow> {
  await db
    .insertInto("stripe_customers")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  return db
    .updateTable("stripe_customers")
    .set(({ ref }) => ({ version: ref("version") }))
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateCustomer(db: Db, { id, ...changes }: CustomerRow): Promise<void> {
  await db.updateTable("stripe_customers").set(changes).where("id", "=", id).execute();
}

export async function findOrganizationOf(db: Db, customer: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("stripe_customers")
    .select("organization_id")
    .where("id", "=", customer)
    .executeTakeFirst();
  return row?.organization_id;
}

export const listCustomers = (db: Db, organizationId: string): Promise<CustomerRow[]> =>
  db.selectFrom("stripe_customers").selectAll().where("organization_id", "=", organizationId).orderBy("id").execute();

/**
 * Deletes the subscriptions of customers who belong to no organization, unless an event has changed
 * the subscription since `before`.
 */
export async function forgetStrangers(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom("stripe_subscriptions")
    .where("updated_at", "<", before)
    .where("customer_id", "not in", (of) => of.selectFrom("stripe_customers").select("id"))
    .execute();
}
