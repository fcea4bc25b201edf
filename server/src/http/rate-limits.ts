/**
 * What one client may ask of the service in a minute: a credential or, where no token is needed, an address. Counted in this process,
 * and told in the RateLimit headers of the IETF's draft.
 */
import type { Endpoint } from "@sheaf/contract/endpoint.ts";
import { errors } from "@sheaf/contract/errors.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../lib/caller.ts";
import { AppError } from "../lib/errors.ts";
import { networkOf } from "../lib/ip-addresses.ts";
import { RateLimiter } from "./rate-limiter.ts";

/** Requests a minute; 0: no limit. */
export interface RateLimitSettings {
  ofCredential: number;
  ofAddress: number;
}

/** A request as it was counted. */
export interface CountedRequest {
  policy: "credential" | "address";
  limiter: RateLimiter;
  client: string;
  /** What it was counted for beyond one, given back where it turns out to be no failed try. */
  reserved: number;
}

const windowMs = 60_000;
const maxClients = 100_000;
/** A failed try to get in counts as so many requests; every try does until it is known how it ends. */
const failedTryCost = 10;
/** A token or session that is refused counts as so many. Less than a wrong secret: tokens also expire, on many machines at once. */
const refusedTokenCost = 5;

export class RateLimits {
  readonly #credentials: RateLimiter | undefined;
  readonly #addresses: RateLimiter | undefined;

  constructor({ ofCredential, ofAddress }: RateLimitSettings) {
    this.#credentials = limiterOf(ofCredential);
    this.#addresses = limiterOf(ofAddress);
  }

  /** Counts a request that needs no caller. @throws AppError `rate_limited`. */
  countAddress(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): void {
    if (this.#addresses === undefined || endpoint.auth !== "none" || endpoint.probe) return;
    const reserved = takesSecret(endpoint) ? failedTryCost - 1 : 0;
    const client = networkOf(request.address);
    count({ policy: "address", limiter: this.#addresses, client, reserved }, request, reply);
  }

  /**
   * Counts a token or session that was refused. Called after it was looked at, so that one address with many wrong tokens never keeps out
   * a right one. @throws AppError `rate_limited`.
   */
  countRefusedToken(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#addresses === undefined) return;
    const cost = Math.min(refusedTokenCost, this.#addresses.limit.quota);
    const waitMs = this.#addresses.take(networkOf(request.address), cost);
    if (waitMs !== undefined) refuse(reply, waitMs);
  }

  /** Counts a request whose caller is known. @throws AppError `rate_limited`. */
  countCaller({ credentialId, memberId }: Caller, request: FastifyRequest, reply: FastifyReply): void {
    if (this.#credentials === undefined) return;
    const client = credentialId ?? memberId;
    count({ policy: "credential", limiter: this.#credentials, client, reserved: 0 }, request, reply);
  }

  /** Sets the RateLimit headers; called when the status of the response is known. */
  setHeaders({ counted }: FastifyRequest, reply: FastifyReply): void {
    if (counted === undefined) return;
    const { policy, limiter, client, reserved } = counted;
    if (reserved > 0 && reply.statusCode !== 401) limiter.giveBack(client, reserved);
    const { remaining, fullInMs } = limiter.allowanceOf(client);
    reply.header("ratelimit-policy", `"${policy}";q=${limiter.limit.quota};w=${limiter.limit.windowMs / 1000}`);
    reply.header("ratelimit", `"${policy}";r=${remaining};t=${Math.ceil(fullInMs / 1000)}`);
  }
}

/** Whether a request is a try that may fail: a secret or a password comes with it. */
const takesSecret = ({ body, query, errors: codes }: Endpoint): boolean =>
  (body ?? query) !== undefined && codes.some((code) => errors[code].status === 401);

const limiterOf = (quota: number): RateLimiter | undefined =>
  quota === 0 ? undefined : new RateLimiter({ quota, windowMs, maxClients });

function count(counted: CountedRequest, request: FastifyRequest, reply: FastifyReply): void {
  const { limiter, client, reserved } = counted;
  // A quota below the cost of a failed try still lets one try through.
  const cost = Math.min(1 + reserved, limiter.limit.quota);
  const waitMs = limiter.take(client, cost);
  request.counted = { ...counted, reserved: waitMs === undefined ? cost - 1 : 0 };
  if (waitMs !== undefined) refuse(reply, waitMs);
}

function refuse(reply: FastifyReply, waitMs: number): never {
  reply.header("retry-after", String(Math.ceil(waitMs / 1000)));
  throw new AppError("rate_limited");
}
