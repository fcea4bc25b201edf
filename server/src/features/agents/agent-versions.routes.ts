/** HTTP routes of the versions of agents. */
import { agentVersionsEndpoints as endpoints } from "@sheaf/contract/agent-versions.ts";
import { AppError } from "../../lib/errors.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import * as versions from "./agent-versions.service.ts";
import { type ConfigurationDeps, restoreVersion } from "./agents.service.ts";

export const agentVersionsRoutes = (deps: ConfigurationDeps): AnyRoute[] => [
  route(endpoints.listAgentVersions, async ({ caller, path, query }) =>
    pageReply(await versions.listVersions(deps, caller, path.reference, pageRequest(query))),
  ),
  route(endpoints.getAgentVersion, async ({ caller, path: { reference, number } }) =>
    success(await versions.getVersion(deps, caller, reference, number)),
  ),
  route(endpoints.getAgentVersionChanges, async ({ caller, path: { reference, number }, query }) => {
    const from = fromOf(query.from);
    return success(await versions.compareVersions(deps, caller, reference, { number, from }));
  }),
  route(endpoints.updateAgentVersion, async ({ caller, path: { reference, number }, body: { name } }) =>
    success(await versions.nameVersion(deps, caller, reference, { number, name })),
  ),
  route(endpoints.restoreAgentVersion, async ({ caller, path, keep }) =>
    success(await restoreVersion(deps, caller, path, keep(success))),
  ),
];

function fromOf(from: string | string[] | undefined): string | undefined {
  if (from === undefined || (typeof from === "string" && /^[1-9]\d{0,8}$/.test(from))) return from;
  const issues = [{ path: "/from", message: "must be the number of a version" }];
  throw new AppError("invalid_request", { issues });
}
