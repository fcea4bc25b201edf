/** HTTP routes of agents. */
import { agentsEndpoints as endpoints } from "@sheaf/contract/agents.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { type AgentDeps, deleteAgent } from "./agent-removal.ts";
import * as agents from "./agents.service.ts";

export const agentsRoutes = (deps: AgentDeps & agents.ConfigurationDeps): AnyRoute[] => [
  route(endpoints.listAgents, async ({ caller, query }) =>
    pageReply(await agents.listAgents(deps, caller, pageRequest(query))),
  ),
  route(endpoints.createAgent, async ({ caller, body, keep }) =>
    success(await agents.createAgent(deps, caller, body, keep(success))),
  ),
  route(endpoints.getAgent, async ({ caller, path }) => success(await agents.getAgent(deps, caller, path.reference))),
  route(endpoints.updateAgent, async ({ caller, path, body }) =>
    success(await agents.updateAgent(deps, caller, path.reference, body)),
  ),
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
