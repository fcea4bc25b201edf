/** Usage and limits of an organization. `features/models` counts the tokens of each model call. */
import { limits, megabyte } from "@sheaf/contract/limits.ts";
import type { UsageJson } from "@sheaf/contract/usage.ts";
import type { Caller } from "../../lib/caller.ts";
import { monthOf } from "../../lib/clock.ts";
import type { Db } from "../../records/records.ts";
import { countAgents } from "../agents/agent-lookup.service.ts";
import { getLimits } from "../plans/plans.service.ts";
import { getSubscription } from "../plans/subscriptions.service.ts";
import { addTokens, findTokens } from "./usage.repo.ts";

/**
 * Adds tokens to the counter of a month and channel. Call it in the transaction that records the
 * model call.
 */
export const countTokens = addTokens;

/** Returns the tokens used in a month through all channels, including the web application. */
export async function sumTokens(db: Db, organizationId: string, month: string): Promise<number> {
  return Object.values(await findTokens(db, organizationId, month)).reduce((sum, tokens) => sum + tokens, 0);
}

/** Maximum upload size in MB, even if a plan allows more. */
const largestUploadMb = limits.maxDocumentFileBytes / megabyte;

/**
 * Returns the usage in the calendar month (UTC) that contains `at`. Usage through the web
 * application is not billed.
 * @throws AppError `organization_not_found`
 */
export async function getUsage(
  db: Db,
  { organizationId }: Pick<Caller, "organizationId">,
  at: string,
): Promise<UsageJson> {
  const period = monthOf(at);
  const plan = await getLimits(db, { organizationId });
  const { api = 0, public: ofPublic = 0 } = await findTokens(db, organizationId, period);
  const billable = api + ofPublic;
  const included = plan.included_api_tokens;
  return {
    subscription: await getSubscription(db, { organizationId }),
    quotas: {
      max_agents: { limit: plan.max_agents, used: await countAgents(db, organizationId) },
      max_documents_per_agent: { limit: plan.max_documents_per_agent },
      max_upload_mb: { limit: plan.max_upload_mb === null ? null : Math.min(plan.max_upload_mb, largestUploadMb) },
    },
    usage: {
      period,
      api_tokens: api,
      billable_tokens: billable,
      included_api_tokens: included,
      overage_tokens: included === null ? 0 : Math.max(0, billable - included),
    },
  };
}
