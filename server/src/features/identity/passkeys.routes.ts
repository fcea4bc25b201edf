/** HTTP routes of passkeys. */
import { passkeysEndpoints as endpoints } from "@sheaf/contract/passkeys.ts";
import { type AnyRoute, type RouteRequest, route } from "../../lib/route.ts";
import * as passkeys from "./passkeys.service.ts";
import { noStore, opened, originOf, refuseCrossSite, type SessionRouteDeps } from "./sessions.routes.ts";
import { getSignedIn, openSession } from "./sessions.service.ts";

export function passkeysRoutes(deps: SessionRouteDeps): AnyRoute[] {
  const signedIn = (request: Pick<RouteRequest, "header" | "address" | "requestId">) => {
    refuseCrossSite(request, deps.publicUrl);
    return getSignedIn(deps, request.header("cookie"), request);
  };
  return [
    route(endpoints.startPasskey, async (request) => {
      const input = { password: request.body.password, origin: webOriginOf(request) };
      return success(await passkeys.startPasskey(deps, await signedIn(request), input, request));
    }),
    route(endpoints.createPasskey, async (request) => {
      const input = { ...request.body, origin: webOriginOf(request) };
      return success(await passkeys.createPasskey(deps, await signedIn(request), input));
    }),
    route(endpoints.listPasskeys, async (request) => {
      const { user } = await signedIn(request);
      return success(await passkeys.listPasskeys(deps.db, user.id));
    }),
    route(endpoints.deletePasskey, async (request) => {
      const { passkeyId: id } = request.path;
      await passkeys.deletePasskey(deps.db, await signedIn(request), id);
      return success({ id });
    }),
    route(endpoints.startPasskeySession, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      return success(await passkeys.startSignIn(deps, webOriginOf(request)));
    }),
    route(endpoints.createPasskeySession, async (request) => {
      refuseCrossSite(request, deps.publicUrl);
      const userId = await passkeys.checkPasskey(deps, request.body.credential, webOriginOf(request));
      return opened(await openSession(deps, userId, originOf(request), { by: "passkey" }));
    }),
  ];

  /**
   * Returns the origin of the web application. Browsers send it with every POST request, and
   * `refuseCrossSite` checks that it is ours.
   */
  function webOriginOf({ header }: Pick<RouteRequest, "header">): string {
    const origin = header("origin") ?? deps.publicUrl ?? `http://${header("host")}`;
    return new URL(origin).origin;
  }
}

const success = <Data>(data: Data) => ({ body: { status: "success" as const, data }, headers: noStore });
