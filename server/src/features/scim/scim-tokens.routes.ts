/** HTTP routes of SCIM tokens. */
import { scimEndpoints as endpoints } from "@sheaf/contract/scim.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { createScimToken, listScimTokens, revokeScimToken, type ScimTokenDeps } from "./scim-tokens.service.ts";

export const scimTokensRoutes = (deps: ScimTokenDeps): AnyRoute[] => [
  route(endpoints.listScimTokens, async ({ caller, query }) =>
    pageReply(await listScimTokens(deps, caller.organizationId, pageRequest(query))),
  ),
  route(endpoints.createScimToken, async ({ caller, body: { name }, keep }) => {
    const { organizationId } = caller;
    return success(await createScimToken(deps, caller, { organizationId, name }, keep(success)));
  }),
  route(endpoints.deleteScimToken, async ({ caller, path: { scimTokenId: id } }) => {
    await revokeScimToken(deps, caller, { organizationId: caller.organizationId, id });
    return success({ id });
  }),
];
