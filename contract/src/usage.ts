/** Usage: subscription, quotas, and token consumption of the calendar month. */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { count, timestamp } from "./formats.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

const nullableLimit = (description: string, example: number) =>
  Type.Union([count(description, example), Type.Null()], { description: `${description} null means unlimited.` });

export const Subscription = component(
  "Subscription",
  Type.Object(
    {
      status: Type.Union([Type.String(), Type.Null()], {
        description: "`active`, `trialing`, `past_due`, `canceled` or another status. New statuses may be added.",
        examples: ["active"],
      }),
      billing_cycle: Type.Union([Type.Literal("monthly"), Type.Literal("yearly"), Type.Null()]),
      current_period_end: Type.Union([timestamp("End of the current billing period."), Type.Null()], {
        description: "End of the current billing period, ISO 8601 UTC.",
      }),
    },
    { description: "All three are null if there is no subscription." },
  ),
);
export type SubscriptionJson = Static<typeof Subscription>;

export const Quotas = component(
  "Quotas",
  Type.Object({
    max_agents: Type.Object({
      limit: nullableLimit("Maximum agents.", 25),
      used: count("Number of agents that are not deleted.", 4),
    }),
    max_documents_per_agent: Type.Object({
      limit: nullableLimit("Maximum documents in the corpus of one agent.", 500),
    }),
    max_upload_mb: Type.Object({
      limit: nullableLimit("Maximum size of an uploaded file, in MB of 1,048,576 bytes.", 60),
    }),
  }),
);
export type QuotasJson = Static<typeof Quotas>;

export const Consumption = component(
  "Consumption",
  Type.Object({
    period: Type.String({
      pattern: "^\\d{4}-(0[1-9]|1[0-2])$",
      description: "Calendar month in UTC, which is not aligned with the billing period.",
      examples: ["2026-03"],
    }),
    api_tokens: count("Tokens consumed through the API.", 120_000),
    billable_tokens: count(
      "`api_tokens` plus the tokens of public channels, without those of the web application.",
      150_000,
    ),
    included_api_tokens: Type.Union([count("Tokens included in the plan.", 100_000), Type.Null()], {
      description: "Tokens included in the plan; null if the plan does not limit them.",
    }),
    overage_tokens: count(
      "`max(0, billable_tokens - included_api_tokens)`; 0 if `included_api_tokens` is null.",
      50_000,
    ),
  }),
);
export type ConsumptionJson = Static<typeof Consumption>;

export const Usage = component(
  "Usage",
  Type.Object({ subscription: Subscription, quotas: Quotas, usage: Consumption }),
);
export type UsageJson = Static<typeof Usage>;

const getUsage = defineEndpoint({
  operationId: "getUsage",
  method: "GET",
  path: "/v2/organization/usage",
  summary: "Get usage and quotas",
  description: "Any member may call this, not only administrators.",
  tag: "Usage",
  auth: "member",
  responses: { 200: { description: "Subscription, quotas and consumption.", body: success(Usage) } },
  errors: ["organization_not_found"],
});

export const usageEndpoints = { getUsage };
