/** Verifies Stripe events and extracts the data used here. */
import type { Stripe } from "stripe";
import { AppError } from "../../lib/errors.ts";

/**
 * Parses an event and verifies its signature.
 * @throws AppError `invalid_request`
 */
export async function verifiedEvent(
  body: Buffer,
  signature: string | undefined,
  secret: string,
): Promise<Stripe.Event> {
  // The library takes 35 MB and a tenth of a second to load, so it is loaded only when the first
  // Stripe event arrives.
  const { Stripe } = await import("stripe");
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? "", secret);
  } catch (error) {
    const issues = [{ path: "", message: "must be an event that Stripe has signed within the last five minutes" }];
    throw new AppError("invalid_request", { issues }, { cause: error });
  }
}

/** The data of an event: a customer and possibly one of its subscriptions. */
export interface StripeNews {
  event: string;
  /** Sort key: later events have greater keys. */
  version: string;
  customer: string;
  /**
   * The organization that the customer pays for, if the event contains it. The payer may have
   * written this text, so it is untrusted.
   */
  organization: string | undefined;
  subscription: ToldSubscription | undefined;
}

export interface ToldSubscription {
  id: string;
  status: string;
  /** ISO 8601. */
  startedAt: string;
  items: ToldItem[];
}

export interface ToldItem {
  price: string;
  billingCycle: "monthly" | "yearly" | null;
  /** ISO 8601. */
  currentPeriodEnd: string | null;
}

/** Returns the data of an event; undefined if the event is irrelevant. */
export function newsOf(event: Stripe.Event): StripeNews | undefined {
  const about = { event: event.id, version: versionOf(event) };
  const { object } = event.data;
  if (event.type === "checkout.session.completed") {
    const { customer, metadata, client_reference_id } = object as Stripe.Checkout.Session;
    const organization = metadata?.organization_id ?? client_reference_id ?? undefined;
    if (customer === null || organization === undefined) return undefined;
    return { ...about, customer: idOf(customer), organization, subscription: undefined };
  }
  if (!event.type.startsWith("customer.subscription.")) return undefined;
  const subscription = object as DatedSubscription;
  return {
    ...about,
    customer: idOf(subscription.customer),
    organization: subscription.metadata.organization_id,
    subscription: {
      id: subscription.id,
      status: subscription.status,
      startedAt: isoTime(subscription.created),
      items: subscription.items.data.map((item) => itemOf(item, subscription)),
    },
  };
}

/**
 * Returns the sort key of an event. Event times are in whole seconds, and a subscription is often
 * created and changed within one second. Within a second, the creation of a subscription sorts
 * before its changes, and its deletion after them. Changes in the same second are ordered by event
 * id, regardless of the order in which they arrive.
 */
function versionOf({ created, type, id }: Stripe.Event): string {
  const place = type === "customer.subscription.created" ? 0 : type === "customer.subscription.deleted" ? 2 : 1;
  return `${String(created).padStart(12, "0")}.${place}.${id}`;
}

/**
 * Up to version 2025-02-24 of Stripe's API, the billing period is a member of the subscription. In
 * later versions, it is a member of each item.
 */
type DatedSubscription = Stripe.Subscription & { current_period_end?: number };

const itemOf = (item: Stripe.SubscriptionItem, subscription: DatedSubscription): ToldItem => {
  const end = item.current_period_end ?? subscription.current_period_end;
  return {
    price: item.price.id,
    billingCycle: billingCycleOf(item.price.recurring),
    currentPeriodEnd: end === undefined ? null : isoTime(end),
  };
};

/** Returns the billing cycle; null if it is neither a month nor a year. */
function billingCycleOf(recurring: Stripe.Price.Recurring | null): ToldItem["billingCycle"] {
  if (recurring === null) return null;
  const { interval, interval_count: count } = recurring;
  const months = interval === "year" ? 12 * count : interval === "month" ? count : 0;
  return months === 1 ? "monthly" : months === 12 ? "yearly" : null;
}

const idOf = (customer: string | { id: string }): string => (typeof customer === "string" ? customer : customer.id);

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();
