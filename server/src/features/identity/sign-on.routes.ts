/** HTTP routes for signing in with the identity provider of an organization. */
import { signOnEndpoints as endpoints } from "@sheaf/contract/sign-on.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { completeSignOn, isAvailable, type SignOnSessionDeps, startSignOn } from "../sign-on/sign-on.service.ts";
import { noStore, opened, originOf, refuseCrossSite } from "./sessions.routes.ts";

export function signOnRoutes(deps: SignOnSessionDeps): AnyRoute[] {
  return [
    route(endpoints.getSignOnAvailability, async () => success({ available: await isAvailable(deps) })),
    route(endpoints.startSignOn, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const started = await startSignOn(deps, request.body.email);
      return {
        body: { status: "success" as const, data: { url: started?.url ?? null } },
        headers: { ...noStore, ...(started && { "set-cookie": [started.cookie] }) },
      };
    }),
    route(endpoints.completeSignOn, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const { organization_id: organizationId, response } = request.body;
      return opened(await completeSignOn(deps, { organizationId, response }, originOf(request)));
    }),
  ];
}
