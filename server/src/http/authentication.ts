/** Deny by default: every mounted route asks here who calls, before any of the body is read. */
import type { Auth } from "@sheaf/contract/endpoint.ts";
import type { FastifyRequest } from "fastify";
import { authenticate, type CredentialDeps } from "../features/organizations/credentials.service.ts";
import type { Caller } from "../lib/caller.ts";
import { AppError } from "../lib/errors.ts";

export type Authenticate = (request: FastifyRequest, auth: Auth) => Promise<Caller | undefined>;

/** @throws AppError `unauthorized`, `forbidden`. */
export const authenticateWith =
  (deps: Pick<CredentialDeps, "db" | "keys">): Authenticate =>
  async (request, auth) => {
    if (auth === "none") return undefined;
    const token = request.headers["x-api-key"];
    const caller = await authenticate(deps, typeof token === "string" ? token : undefined, {
      address: request.ip,
      requestId: request.id,
    });
    if (auth === "administrator" && caller.role !== "administrator") throw new AppError("forbidden");
    return caller;
  };
