/**
 * Subscriptions as reported by Stripe. Events may arrive in any order, repeatedly, and before their
 * customer is known. So each row keeps the data of the newest event, even if older events arrive
 * later. Plans are derived from these rows.
 */
import type { SubscriptionJson } from "@sheaf/contract/usage.ts";
import type { Stripe } from "stripe";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { isId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { getOrganization } from "../organizations/organizations.service.ts";
import { findPlan, lockOrganization } from "./plans.repo.ts";
import { newsOf, type StripeNews, type ToldItem, type ToldSubscription } from "./stripe-events.ts";
import * as subscriptions from "./subscriptions.repo.ts";

export interface SubscriptionDeps {
  db: Db;
  log: Logger;
  /** Plan name of each price. */
  prices: ReadonlyMap<string, string>;
}

const stripe: AuditActor = { operator: "stripe" };
const never = "";
/**
 * Version of a link made by the operator. It sorts after the version of every event, so that no
 * event changes the link.
 */
const byOperator = "~";

/** Applies an event if it is newer than the stored state. */
export async function takeEvent(deps: SubscriptionDeps, event: Stripe.Event): Promise<void> {
  const news = newsOf(event);
  if (news === undefined) return;
  await deps.db.transaction().execute(async (transaction) => {
    if (news.organization !== undefined) await linkAsTold({ ...deps, db: transaction }, news, news.organization);
    if (news.subscription !== undefined) await takeSubscription({ ...deps, db: transaction }, news, news.subscription);
  });
}

async function linkAsTold({ db, log }: SubscriptionDeps, news: StripeNews, organization: string): Promise<void> {
  if (!isId(organization) || !(await lockOrganization(db, organization))) {
    log.warn(
      { event: news.event, customer: news.customer },
      "an event of Stripe refers to an organization that does not exist",
    );
    return;
  }
  await link(db, stripe, { id: news.customer, organization_id: organization, version: news.version });
}

async function link(db: Db, actor: AuditActor, customer: subscriptions.CustomerRow): Promise<void> {
  const known = await subscriptions.lockCustomer(db, { ...customer, version: never });
  if (known.version > customer.version) return;
  await subscriptions.updateCustomer(db, customer);
  if (known.version !== never && known.organization_id === customer.organization_id) return;
  const organizationId = customer.organization_id;
  await recordAudit(db, actor, { organizationId, action: "customer.linked", target: customer.id });
}

async function takeSubscription(deps: SubscriptionDeps, news: StripeNews, told: ToldSubscription): Promise<void> {
  const { db } = deps;
  const item = told.items.find(({ price }) => deps.prices.has(price)) ?? told.items[0];
  const state = {
    status: told.status,
    billing_cycle: item?.billingCycle ?? null,
    current_period_end: item?.currentPeriodEnd ?? null,
    price_id: item?.price ?? null,
  };
  const known = await subscriptions.lockSubscription(db, {
    id: told.id,
    customer_id: news.customer,
    ...state,
    version: never,
    plan: null,
    plan_version: never,
    started_at: told.startedAt,
    updated_at: now(),
  });
  const changes: Partial<subscriptions.SubscriptionRow> = {};
  if (news.version > known.version) Object.assign(changes, state, { version: news.version });
  // An event whose price has no plan leaves the subscription's plan unchanged. The plan has its own
  // version, so that the result does not depend on the order of the events.
  const plan = await planOf(deps, news, item);
  if (plan !== undefined && news.version > known.plan_version)
    Object.assign(changes, { plan, plan_version: news.version });
  if (Object.keys(changes).length === 0) return;
  await subscriptions.updateSubscription(db, told.id, { ...changes, updated_at: now() });
  const { version: _, plan_version: __, ...visible } = changes;
  const organizationId = await subscriptions.findOrganizationOf(db, news.customer);
  if (organizationId === undefined) return;
  const detail = { event: news.event, ...visible };
  await recordAudit(db, stripe, { organizationId, action: "subscription.changed", target: told.id, detail });
}

async function planOf(
  { db, log, prices }: SubscriptionDeps,
  { event }: StripeNews,
  item: ToldItem | undefined,
): Promise<string | undefined> {
  const plan = item && prices.get(item.price);
  if (plan === undefined) {
    log.warn(
      { event, price: item?.price },
      "no plan is configured for the price of a subscription: see SHEAF_STRIPE_PRICES",
    );
    return undefined;
  }
  if ((await findPlan(db, plan)) !== undefined) return plan;
  log.warn({ event, price: item?.price, plan }, "the price of a subscription belongs to a plan that does not exist");
  return undefined;
}

/** Shown if there is no subscription. */
const noSubscription: SubscriptionJson = { status: null, billing_cycle: null, current_period_end: null };

/**
 * Returns the latest subscription that grants a plan. If no subscription grants one, returns the
 * subscription with the newest event.
 */
export async function getSubscription(
  db: Db,
  { organizationId }: Pick<Caller, "organizationId">,
): Promise<SubscriptionJson> {
  const all = await subscriptions.listSubscriptions(db, organizationId);
  const granting = all.find(({ status }) => subscriptions.grantingStatuses.includes(status));
  const shown = granting ?? all.toSorted((a, b) => (a.version < b.version ? 1 : -1))[0];
  if (shown === undefined) return noSubscription;
  const { status, billing_cycle, current_period_end } = shown;
  return { status, billing_cycle, current_period_end };
}

/**
 * Describes the plan and subscriptions of an organization, for the operator.
 * @throws AppError `organization_not_found`
 */
export async function describeSubscriptions(db: Db, organization: string) {
  const { id } = await getOrganization(db, organization);
  return {
    organizationId: id,
    customers: await subscriptions.listCustomers(db, id),
    subscriptions: await subscriptions.listSubscriptions(db, id),
  };
}

/**
 * Links a Stripe customer to an organization. Later Stripe events do not change this link.
 * @throws AppError `organization_not_found`; Error
 */
export async function linkCustomer(db: Db, actor: AuditActor, organization: string, customer: string): Promise<void> {
  if (!/^cus_\w{1,200}$/.test(customer))
    throw new Error("This is not the id of a Stripe customer, which looks like cus_NffrFeUfNV2Hib.");
  const { id } = await getOrganization(db, organization);
  await db
    .transaction()
    .execute((transaction) => link(transaction, actor, { id: customer, organization_id: id, version: byOperator }));
}

/**
 * How long a subscription of an unknown customer is kept. Such a subscription may belong to a
 * different product that is sold through the same Stripe account.
 */
const strangersMs = 90 * 24 * 3_600_000;

export const deleteOldSubscriptions = (db: Db): Promise<void> =>
  subscriptions.forgetStrangers(db, new Date(Date.now() - strangersMs).toISOString());
