/** HTTP routes of sessions. */
import { sessionsEndpoints as endpoints } from "@sheaf/contract/sessions.ts";
import { isCrossSite } from "../../lib/cross-site.ts";
import { AppError } from "../../lib/errors.ts";
import { type AnyRoute, type RouteRequest, route } from "../../lib/route.ts";
import { acceptInvitation, type InvitationDeps } from "../organizations/invitations.service.ts";
import { deleteFirstSignInFile, redeemFirstSignInLink } from "./first-sign-in.service.ts";
import * as secondFactor from "./second-factor.service.ts";
import * as sessions from "./sessions.service.ts";

export interface SessionRouteDeps extends sessions.SessionDeps, InvitationDeps {
  publicUrl: string | undefined;
  dataDir: string;
}

export function sessionsRoutes(deps: SessionRouteDeps): AnyRoute[] {
  return [
    route(endpoints.createSession, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      return opened(await sessions.signIn(deps, request.body, originOf(request)));
    }),
    route(endpoints.createFirstSession, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const userId = await redeemFirstSignInLink(deps, request.body.token);
      await deleteFirstSignInFile(deps.dataDir);
      return opened(await sessions.openSession(deps, userId, originOf(request), { by: "first sign-in link" }));
    }),
    route(endpoints.getSession, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const session = await sessions.getSession(deps, request.header("cookie"));
      return { body: { status: "success" as const, data: session }, headers: noStore };
    }),
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
      return opened(await sessions.changePassword(deps, request.header("cookie"), input, originOf(request)));
    }),
    route(endpoints.startTotp, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const signedIn = await sessions.getSignedIn(deps, request.header("cookie"), request);
      const setup = await secondFactor.startTotp(deps, signedIn, request.body.password, request);
      return { body: { status: "success" as const, data: setup }, headers: noStore };
    }),
    route(endpoints.confirmTotp, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const signedIn = await sessions.getSignedIn(deps, request.header("cookie"), request);
      const codes = await secondFactor.confirmTotp(deps, signedIn, request.body.code, request);
      return { body: { status: "success" as const, data: codes }, headers: noStore };
    }),
    route(endpoints.deleteTotp, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const signedIn = await sessions.getSignedIn(deps, request.header("cookie"), request);
      await secondFactor.turnOff(deps, signedIn, request.body, request);
      return { body: { status: "success" as const, data: {} }, headers: noStore };
    }),
    route(endpoints.acceptInvitation, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const origin = originOf(request);
      const signedIn = await sessions.signedInUser(deps, origin.cookie);
      const userId = await acceptInvitation(deps, request.body, { ...origin, signedIn });
      return opened(await sessions.openSession(deps, userId, origin));
    }),
    route(endpoints.listSessions, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const listed = await sessions.listSessions(deps, request.header("cookie"));
      return { body: { status: "success" as const, data: listed }, headers: noStore };
    }),
    route(endpoints.endSession, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      await sessions.endSession(deps, request.header("cookie"), request.path.sessionId, request);
      return { body: { status: "success" as const, data: { id: request.path.sessionId } }, headers: noStore };
    }),
  ];
}

export const originOf = ({ address, requestId, header }: Pick<RouteRequest, "address" | "requestId" | "header">) => ({
  address,
  requestId,
  userAgent: header("user-agent"),
  cookie: header("cookie"),
});

export const noStore = { "cache-control": "no-store" };

/** Returns the reply with a new session. */
export const opened = ({ session, cookies }: sessions.OpenedSession) => ({
  body: { status: "success" as const, data: session },
  headers: { ...noStore, "set-cookie": cookies },
});

/** @throws AppError `forbidden` if the request comes from another site */
export function refuseCrossSite(request: Pick<RouteRequest, "header">, publicUrl: string | undefined): void {
  if (isCrossSite(request, publicUrl))
    throw new AppError("forbidden", undefined, { message: "Cross-site requests are refused." });
}
