/** Events of Stripe: their signature, and what of them matters here. */
import type { Stripe } from "stripe";
import { AppError } from "../../lib/errors.ts";

/** The event that the bytes are, if they are signed with the secret. @throws AppError `invalid_request`. */
export async function verifiedEvent(
  body: Buffer,
  signature: string | undefined,
  secret: string,
): Promise<Stripe.Event> {
  // The library takes 35 MB and a tenth of a second to load, which only those pay whom Stripe calls.
  const { Stripe } = await import("stripe");
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? "", secret);
  } catch (error) {
    const issues = [{ path: "", message: "must be an event that Stripe has signed within the last five minutes" }];
    throw new AppError("invalid_request", { issues }, { cause: error });
  }
}

/** What an event says of a customer and perhaps of one of its subscriptions. */
export interface StripeNews {
  event: string;
  /** Sorts as the events follow each other. */
  version: string;
  customer: string;
  /** Whom the customer pays for, where the event says so. Whoever pays may have written it: it may be anything. */
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

/** Undefined where the event says nothing of interest. */
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
 * Events tell their time in seconds, and a subscription is often made and changed within one. What makes it comes before what changes
 * it, what deletes it after; two changes of one second are told apart by their ids, the same way whichever comes first.
 */
function versionOf({ created, type, id }: Stripe.Event): string {
  const place = type === "customer.subscription.created" ? 0 : type === "customer.subscription.deleted" ? 2 : 1;
  return `${String(created).padStart(12, "0")}.${place}.${id}`;
}

/** Up to the version 2025-02-24 of Stripe's API the period stood on the subscription, and since then on each of its items. */
type DatedSubscription = Stripe.Subscription & { current_period_end?: number };

const itemOf = (item: Stripe.SubscriptionItem, subscription: DatedSubscription): ToldItem => {
  const end = item.current_period_end ?? subscription.current_period_end;
  return {
    price: item.price.id,
    billingCycle: billingCycleOf(item.price.recurring),
    currentPeriodEnd: end === undefined ? null : isoTime(end),
  };
};

/** Null for a cycle that is neither a month nor a year. */
function billingCycleOf(recurring: Stripe.Price.Recurring | null): ToldItem["billingCycle"] {
  if (recurring === null) return null;
  const { interval, interval_count: count } = recurring;
  const months = interval === "year" ? 12 * count : interval === "month" ? count : 0;
  return months === 1 ? "monthly" : months === 12 ? "yearly" : null;
}

const idOf = (customer: string | { id: string }): string => (typeof customer === "string" ? customer : customer.id);

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();
