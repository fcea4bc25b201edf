/**
 * Authenticates requests before any of the body is read. Every mounted route calls this function.
 * Requests that are not authenticated are refused unless the endpoint declares an exception.
 */
import type { Endpoint } from "@sheaf/contract/endpoint.ts";
import type { FastifyRequest } from "fastify";
import { authenticateSession, type SessionDeps } from "../features/identity/sessions.service.ts";
import { authenticate, type CredentialDeps } from "../features/organizations/credentials.service.ts";
import type { Caller } from "../lib/caller.ts";
import { isCrossSite } from "../lib/cross-site.ts";
import { AppError } from "../lib/errors.ts";
import { hasDifferentTokens, tokenOf } from "./presented-tokens.ts";

/** @param options `isUse`: false if the request does not count as a use of the session */
export type Authenticate = (
  request: FastifyRequest,
  endpoint: Endpoint,
  options?: { isUse: boolean },
) => Promise<Caller | undefined>;

export interface AuthenticationDeps extends Pick<CredentialDeps, "db" | "keys">, SessionDeps {
  publicUrl: string | undefined;
}

const differentTokens = "The headers x-api-key and Authorization contain different tokens; send one token.";

/**
 * Authenticates by token, or by the session cookie if there is no token.
 * @throws AppError `unauthorized`, also for different tokens in `x-api-key` and `Authorization`;
 * `forbidden`; `organization_not_found` on endpoints that declare it
 */
export const authenticateWith =
  (deps: AuthenticationDeps): Authenticate =>
  async (request, { auth, app, errors }, { isUse } = { isUse: true }) => {
    if (auth === "none") return undefined;
    const { cookie } = request.headers;
    const token = tokenOf(request.headers);
    if (hasDifferentTokens(request.raw)) throw new AppError("unauthorized", undefined, { message: differentTokens });
    const origin = { address: request.address, requestId: request.id };
    const hasSession = token === undefined && cookie !== undefined;
    // Refuses cross-site reads, too. A page of another site cannot read the response, but the
    // duration and the size of the response could reveal something.
    if (hasSession && isCrossSite({ header: (name) => request.headers[name]?.toString() }, deps.publicUrl))
      throw new AppError("forbidden", undefined, { message: "Cross-site requests are refused." });
    const caller = hasSession
      ? await authenticateSession(deps, cookie, origin, { isUse })
      : await authenticate(deps, token, origin).catch((error: unknown) => {
          const isGone = error instanceof AppError && error.code === "organization_not_found";
          throw isGone && !errors.includes("organization_not_found") ? new AppError("unauthorized") : error;
        });
    const needed = caller.channel === "app" ? (app ?? auth) : auth;
    if (needed === "administrator" && caller.role !== "administrator") throw new AppError("forbidden");
    return caller;
  };
