/** Meters work, and tells what an organization has used and may use. */
import type { UsageJson } from "@sheaf/contract/usage.ts";
import type { Caller, Principal } from "../../lib/caller.ts";
import { monthOf, now } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { countAgents } from "../agents/agents.service.ts";
import { getLimits } from "../plans/plans.service.ts";
import { getSubscription } from "../plans/subscriptions.service.ts";
import { insertUsageEntry, sumTokens } from "./usage.repo.ts";

/** Call it in the transaction of the work that it counts. */
export async function recordUsage(db: Db, { organizationId, channel }: Principal, tokens: number): Promise<void> {
  const at = now();
  await insertUsageEntry(db, {
    id: newId(),
    organization_id: organizationId,
    channel,
    tokens,
    month: monthOf(at),
    created_at: at,
  });
}

/** Of the calendar month of `at`, in UTC. What the application uses is not billed. @throws AppError `organization_not_found`. */
export async function getUsage(
  db: Db,
  { organizationId }: Pick<Caller, "organizationId">,
  at: string,
): Promise<UsageJson> {
  const period = monthOf(at);
  const plan = await getLimits(db, { organizationId });
  const { api = 0, public: ofPublic = 0 } = await sumTokens(db, organizationId, period);
  const billable = api + ofPublic;
  const included = plan.included_api_tokens;
  return {
    subscription: await getSubscription(db, { organizationId }),
    quotas: {
      max_agents: { limit: plan.max_agents, used: await countAgents(db, organizationId) },
      max_documents_per_agent: { limit: plan.max_documents_per_agent },
      max_upload_mb: { limit: plan.max_upload_mb },
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
