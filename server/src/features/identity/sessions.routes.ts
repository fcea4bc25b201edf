/** The wire of sessions. */
import { sessionsEndpoints as endpoints } from "@sheaf/contract/sessions.ts";
import { isCrossSite } from "../../lib/cross-site.ts";
import { AppError } from "../../lib/errors.ts";
import { type AnyRoute, type RouteRequest, route } from "../../lib/route.ts";
import { acceptInvitation, type InvitationDeps } from "../organizations/invitations.service.ts";
import * as sessions from "./sessions.service.ts";

export interface SessionRouteDeps extends sessions.SessionDeps, InvitationDeps {
  publicUrl: string | undefined;
}

export function sessionsRoutes(deps: SessionRouteDeps): AnyRoute[] {
  return [
    route(endpoints.createSession, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      return opened(await sessions.signIn(deps, request.body, request));
    }),
    route(endpoints.getSession, async ({ header }) => ({
      body: { status: "success" as const, data: await sessions.getSession(deps, header("cookie")) },
      headers: noStore,
    })),
    route(endpoints.updateSession, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const session = await sessions.chooseOrganization(deps, request.header("cookie"), request.body.organization_id);
      return { body: { status: "success" as const, data: session }, headers: noStore };
    }),
    route(endpoints.deleteSession, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const cookies = await sessions.signOut(deps, request.header("cookie"), request);
      return { body: { status: "success" as const, data: {} }, headers: { ...noStore, "set-cookie": cookies } };
    }),
    route(endpoints.changePassword, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const input = { current: request.body.current_password, wanted: request.body.new_password };
      return opened(await sessions.changePassword(deps, request.header("cookie"), input, request));
    }),
    route(endpoints.acceptInvitation, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const email = await acceptInvitation(deps, request.body, request);
      return opened(await sessions.signIn(deps, { email, password: request.body.password }, request));
    }),
  ];
}

const noStore = { "cache-control": "no-store" };

/** The answer to whoever has a new session. */
const opened = ({ session, cookies }: sessions.OpenedSession) => ({
  body: { status: "success" as const, data: session },
  headers: { ...noStore, "set-cookie": cookies },
});

/** @throws AppError `forbidden`. */
function refuseCrossSite(request: Pick<RouteRequest, "header">, publicUrl: string | undefined): void {
  if (isCrossSite(request, publicUrl))
    throw new AppError("forbidden", undefined, { message: "Requests of other sites are refused." });
}
