/** Stripe events as documented by Stripe, with signatures over their bytes. */
import { Stripe } from "stripe";

export const webhookSecret = "whsec_test_0123456789abcdefABCDEF";

export interface SubscriptionState {
  id?: string;
  customer?: string;
  status: string;
  price?: string;
  interval?: "month" | "year" | "week";
  intervalCount?: number;
  /** Unix time in seconds. */
  created?: number;
  periodEnd?: number;
  metadata?: Record<string, string>;
}

/**
 * Returns a subscription with one item, in the shape of Stripe's API version 2026-10-28. Only the
 * values that vary between tests are parameters.
 */
export function subscriptionObject(state: SubscriptionState) {
  const { id = "sub_1", customer = "cus_1", status, price = "price_pro", interval = "month" } = state;
  const { intervalCount = 1, created = 1_790_000_000, periodEnd = 1_792_592_000, metadata = {} } = state;
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: created,
    billing_cycle_anchor_config: null,
    billing_mode: { type: "flexible", flexible: { proration_discounts: "included" } },
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: "charge_automatically",
    created,
    currency: "eur",
    customer,
    days_until_due: null,
    default_payment_method: "pm_1QNffrLkdIwHu7ix",
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    items: {
      object: "list",
      data: [
        {
          id: `si_${id.slice(4)}`,
          object: "subscription_item",
          billing_thresholds: null,
          created,
          current_period_end: periodEnd,
          current_period_start: created,
          discounts: [],
          metadata: {},
          price: {
            id: price,
            object: "price",
            active: true,
            billing_scheme: "per_unit",
            created: created - 1000,
            currency: "eur",
            livemode: false,
            lookup_key: null,
            metadata: {},
            product: "prod_NWjs8kKbJWmuuc",
            recurring: { interval, interval_count: intervalCount, meter: null, usage_type: "licensed" },
            tax_behavior: "exclusive",
            type: "recurring",
            unit_amount: 4900,
            unit_amount_decimal: "4900",
          },
          quantity: 1,
          subscription: id,
          tax_rates: [],
        },
      ],
      has_more: false,
      total_count: 1,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: "in_1QNffrLkdIwHu7ix",
    livemode: false,
    metadata,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_start: null,
  };
}

/**
 * Returns the session object of a completed checkout. It links a customer to the reference and the
 * metadata that the shop passed to Stripe.
 */
export const checkoutObject = (session: {
  customer: string | null;
  client_reference_id?: string;
  metadata?: Record<string, string>;
}) => ({
  id: "cs_test_a1b2c3",
  object: "checkout.session",
  amount_subtotal: 4900,
  amount_total: 4900,
  client_reference_id: null,
  currency: "eur",
  customer_details: { address: null, email: "payer@example.com", name: "Payer" },
  expires_at: 1_790_086_400,
  livemode: false,
  metadata: {},
  mode: "subscription",
  payment_status: "paid",
  status: "complete",
  subscription: "sub_1",
  ...session,
});

let events = 0;

export const stripeEvent = (type: string, object: object, created = 1_790_000_000, id?: string) => ({
  id: id ?? `evt_${String(++events).padStart(6, "0")}`,
  object: "event",
  api_version: "2026-10-28.endive",
  created,
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
});

export type SentEvent = ReturnType<typeof stripeEvent>;

/** Returns the bytes that Stripe sends, and the header that contains their signature. */
export function signed(event: object, options: { secret?: string; timestamp?: number } = {}) {
  const payload = JSON.stringify(event, null, 2);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret, ...options });
  return { payload, signature };
}
