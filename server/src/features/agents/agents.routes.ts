/** HTTP routes of agents. */
import { agentsEndpoints as endpoints } from "@sheaf/contract/agents.ts";
import { atLeastCurrent } from "@sheaf/contract/evaluation.ts";
import type { Caller } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { type AgentDeps, deleteAgent } from "./agent-removal.ts";
import * as agents from "./agents.service.ts";

interface AgentRouteDeps extends AgentDeps, agents.ConfigurationDeps {
  /**
   * Throws `quality_lost` if values that are correct at present would become wrong. Otherwise
   * returns the stored configuration that the change was compared with.
   */
  checkChange(caller: Caller, reference: string, configuration: unknown, signal: AbortSignal): Promise<string>;
}

export const agentsRoutes = (deps: AgentRouteDeps): AnyRoute[] => [
  route(endpoints.listAgents, async ({ caller, query }) =>
    pageReply(await agents.listAgents(deps, caller, pageRequest(query))),
  ),
  route(endpoints.createAgent, async ({ caller, body, keep }) =>
    success(await agents.createAgent(deps, caller, body, keep(success))),
  ),
  route(endpoints.getAgent, async ({ caller, path }) => success(await agents.getAgent(deps, caller, path.reference))),
  route(endpoints.updateAgent, async ({ caller, path: { reference }, body, header, signal }) => {
    const isGuarded = isAtLeastCurrent(header("if-quality")) && body.configuration !== undefined;
    const evaluated = isGuarded ? await deps.checkChange(caller, reference, body.configuration, signal) : undefined;
    return success(await agents.updateAgent(deps, caller, reference, body, evaluated));
  }),
  route(endpoints.deleteAgent, async ({ caller, path }) =>
    success({ reference: path.reference, warnings: await deleteAgent(deps, caller, path.reference) }),
  ),
  route(endpoints.getAgentAccess, async ({ caller, path }) =>
    success(await agents.getAgentAccess(deps, caller, path.reference)),
  ),
  route(endpoints.putAgentAccess, async ({ caller, path, body }) =>
    success(await agents.putAgentAccess(deps, caller, path.reference, body)),
  ),
];

function isAtLeastCurrent(value: string | undefined): boolean {
  if (value === undefined || value === atLeastCurrent) return value !== undefined;
  const message = `The header If-Quality must be ${atLeastCurrent}.`;
  throw new AppError("invalid_request", { issues: [{ path: "", message }] }, { message });
}
