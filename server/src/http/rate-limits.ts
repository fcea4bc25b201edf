/**
 * Limits requests per minute, by credential or, if no token is needed, by client address. Each
 * process counts its own requests, because a count in the database would cost one write per
 * request. Only failed attempts to authenticate are also counted across all processes. The limits
 * are reported in the RateLimit headers of the IETF draft.
 */
import type { Endpoint } from "@sheaf/contract/endpoint.ts";
import { errors } from "@sheaf/contract/errors.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FailedAttempts } from "../features/identity/failed-attempts.service.ts";
import type { Caller } from "../lib/caller.ts";
import { AppError } from "../lib/errors.ts";
import { networkOf } from "../lib/ip-addresses.ts";
import { RateLimiter } from "./rate-limiter.ts";

/** Maximum number of requests per minute; 0 for no limit. */
export interface RateLimitSettings {
  ofCredential: number;
  ofAddress: number;
}

/** How a request was counted. */
export interface CountedRequest {
  policy: "credential" | "address";
  limiter: RateLimiter;
  client: string;
  /**
   * Additional cost charged in advance, because the request may turn out to be a failed attempt to
   * authenticate. If it does not, this cost is refunded.
   */
  reserved: number;
  /** True if the request has been counted in the database as a failed attempt. */
  isAttempt?: boolean;
}

const windowMs = 60_000;
const maxClients = 100_000;
/**
 * Cost of a failed attempt to authenticate, in requests. Every attempt has this cost until its
 * outcome is known.
 */
const failedAttemptCost = 10;
/**
 * Cost of a refused token or session, in requests. Lower than the cost of a wrong secret, because
 * valid clients send expired tokens, too. Many machines behind one address may do so at the same
 * time.
 */
const refusedTokenCost = 5;

export class RateLimits {
  readonly #credentials: RateLimiter | undefined;
  readonly #addresses: RateLimiter | undefined;
  readonly #failures: FailedAttempts;

  /**
   * @param failuresOf opens the counter of failed attempts by address, which all processes share
   */
  constructor(
    { ofCredential, ofAddress }: RateLimitSettings,
    failuresOf: (limit: { quota: number; windowMs: number }) => FailedAttempts,
  ) {
    this.#credentials = limiterOf(ofCredential);
    this.#addresses = limiterOf(ofAddress);
    this.#failures = failuresOf({ quota: ofAddress / failedAttemptCost, windowMs });
  }

  /**
   * Counts a request to an endpoint that needs no authentication.
   * @throws AppError `rate_limited`
   */
  async countAddress(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#addresses === undefined || endpoint.auth !== "none" || endpoint.probe) return;
    const isAttempt = takesSecret(endpoint);
    const reserved = isAttempt ? failedAttemptCost - 1 : 0;
    const client = networkOf(request.address);
    const counted = count({ policy: "address", limiter: this.#addresses, client, reserved }, request, reply);
    if (isAttempt) await this.#chargeAttempt(counted, reply);
  }

  /**
   * Charges a failed attempt in the database. The count of this process is checked first, so it
   * also limits the number of these database statements.
   * @throws AppError `rate_limited`
   */
  async #chargeAttempt(counted: CountedRequest, reply: FastifyReply): Promise<void> {
    const { limiter, client } = counted;
    const waitMs = await this.#failures.charge(client);
    counted.isAttempt = waitMs === undefined;
    if (waitMs === undefined) return;
    counted.reserved = 0;
    // Other processes have counted failures of this address. From now on, this process refuses the
    // address without asking the database, and reports the remaining quota.
    const attemptMs = (Math.min(failedAttemptCost, limiter.limit.quota) * windowMs) / limiter.limit.quota;
    limiter.lower(client, windowMs - attemptMs + waitMs);
    refuse(reply, waitMs);
  }

  /**
   * Counts a refused token or session. Call it after verification, so that many wrong tokens from
   * one address never lock out a valid one.
   * @throws AppError `rate_limited`
   */
  countRefusedToken(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#addresses === undefined) return;
    const cost = Math.min(refusedTokenCost, this.#addresses.limit.quota);
    const waitMs = this.#addresses.consume(networkOf(request.address), cost);
    if (waitMs !== undefined) refuse(reply, waitMs);
  }

  /**
   * Counts a request with a known caller.
   * @throws AppError `rate_limited`
   */
  countCaller(
    { credentialId, memberId }: Pick<Caller, "credentialId" | "memberId">,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (this.#credentials === undefined) return;
    const client = credentialId ?? memberId;
    count({ policy: "credential", limiter: this.#credentials, client, reserved: 0 }, request, reply);
  }

  /**
   * Records the outcome of the request and sets the RateLimit headers. Call it when the status of
   * the response is known.
   */
  async setHeaders({ counted }: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (counted === undefined) return;
    const { policy, limiter, client, reserved, isAttempt } = counted;
    const failed = reply.statusCode === 401;
    if (reserved > 0 && !failed) limiter.refund(client, reserved);
    if (isAttempt) await this.#failures.ended(client, { failed });
    const { remaining, fullInMs } = limiter.allowanceOf(client);
    reply.header("ratelimit-policy", `"${policy}";q=${limiter.limit.quota};w=${limiter.limit.windowMs / 1000}`);
    reply.header("ratelimit", `"${policy}";r=${remaining};t=${Math.ceil(fullInMs / 1000)}`);
  }
}

/** Returns whether requests to the endpoint contain a secret or password that may be wrong. */
const takesSecret = ({ body, query, errors: codes }: Endpoint): boolean =>
  (body ?? query) !== undefined && codes.some((code) => errors[code].status === 401);

const limiterOf = (quota: number): RateLimiter | undefined =>
  quota === 0 ? undefined : new RateLimiter({ quota, windowMs, maxClients });

/** @throws AppError `rate_limited` */
function count(wanted: CountedRequest, request: FastifyRequest, reply: FastifyReply): CountedRequest {
  const { limiter, client, reserved } = wanted;
  // One attempt is allowed even if the quota is below the cost of a failed attempt.
  const cost = Math.min(1 + reserved, limiter.limit.quota);
  const waitMs = limiter.consume(client, cost);
  const counted = { ...wanted, reserved: waitMs === undefined ? cost - 1 : 0 };
  request.counted = counted;
  if (waitMs !== undefined) refuse(reply, waitMs);
  return counted;
}

function refuse(reply: FastifyReply, waitMs: number): never {
  reply.header("retry-after", String(Math.ceil(waitMs / 1000)));
  throw new AppError("rate_limited");
}
