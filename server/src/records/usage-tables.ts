/** Row types of plans and subscriptions, and of the use of language models. */
import type { Flag, Time } from "./column-types.ts";

export interface UsageTables {
  plans: PlansTable;
  stripe_customers: StripeCustomersTable;
  stripe_subscriptions: StripeSubscriptionsTable;
  token_usage: TokenUsageTable;
  model_calls: ModelCallsTable;
}

/**
 * A plan: named limits that can apply to several organizations. A limit of null means unlimited.
 */
interface PlansTable {
  name: string;
  max_agents: number | null;
  max_documents_per_agent: number | null;
  max_upload_mb: number | null;
  included_api_tokens: number | null;
  /**
   * True for the default plan, of which there is at most one. It applies to organizations that have
   * a plan neither from the operator nor from a subscription.
   */
  is_default: Flag;
  created_at: Time;
  updated_at: Time;
}

/**
 * A Stripe customer and the organization that it pays for. An organization may have several
 * customers.
 */
interface StripeCustomersTable {
  id: string;
  organization_id: string;
  /**
   * Version of the event that linked the customer to the organization. Sorted as text, versions are
   * in the order of the events. If the operator made the link, its version sorts after every event.
   */
  version: string;
}

/** A subscription as reported by the newest event. */
export interface StripeSubscriptionsTable {
  id: string;
  customer_id: string;
  /** Status as received from Stripe, which may introduce new values. */
  status: string;
  billing_cycle: "monthly" | "yearly" | null;
  current_period_end: Time | null;
  price_id: string | null;
  /** Version of the newest event. */
  version: string;
  /** Plan of the newest event whose price belongs to a plan. */
  plan: string | null;
  plan_version: string;
  started_at: Time;
  updated_at: Time;
}

export type UsageChannel = "api" | "app" | "public";

/** Tokens of all language model calls that have ended, including failed ones. */
interface TokenUsageTable {
  organization_id: string;
  /** Calendar month in UTC, `YYYY-MM`. */
  month: string;
  channel: UsageChannel;
  tokens: number;
}

/** One HTTP call to a language model. The content is not stored. */
interface ModelCallsTable {
  id: string;
  organization_id: string;
  channel: UsageChannel;
  /** Purpose of the call, such as `extract`. */
  purpose: string;
  /** Base URL of the endpoint that was called. */
  endpoint: string;
  model: string;
  /** Size of the request body; `sha256` is its hash. */
  bytes: number;
  sha256: string;
  input_tokens: number;
  output_tokens: number;
  /** True if the endpoint did not report token counts. */
  estimated: Flag;
  /** Calendar month in UTC, `YYYY-MM`. */
  month: string;
  created_at: Time;
  /** Tokens reserved for a call under way; null once it has ended. */
  reserved_tokens: number | null;
  /**
   * Time by which the call must have ended. If a reservation still exists after this time, its
   * process has crashed.
   */
  reserved_until: Time | null;
}
