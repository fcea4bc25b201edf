/**
 * Rate limit per client: a quota that refills evenly (generic cell rate algorithm). For each client
 * it stores the time at which the quota is full again. After that time it forgets the client.
 */

export interface RateLimit {
  /** Number of requests allowed in a burst, and then per `windowMs`. */
  quota: number;
  windowMs: number;
  /**
   * Maximum number of clients remembered. If there are more, the client that has been idle longest
   * is forgotten, and so has its full quota again.
   */
  maxClients: number;
}

/** Remaining quota of a client. */
export interface Allowance {
  remaining: number;
  /** Time until the quota is full again. */
  fullInMs: number;
}

export class RateLimiter {
  readonly limit: RateLimit;
  readonly #msEach: number;
  readonly #now: () => number;
  /**
   * Time at which the quota of each client is full again. Clients are ordered by their last
   * request.
   */
  readonly #fullAt = new Map<string, number>();

  constructor(limit: RateLimit, now: () => number = () => performance.now()) {
    this.limit = limit;
    this.#msEach = limit.windowMs / limit.quota;
    this.#now = now;
  }

  /**
   * Consumes `cost` requests of a client's quota. If fewer requests are left, consumes none and
   * returns the time until `cost` requests are available, in milliseconds.
   */
  consume(client: string, cost = 1): number | undefined {
    const now = this.#now();
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, now) + cost * this.#msEach;
    const waitMs = fullAt - now - this.limit.windowMs;
    // Tolerates rounding errors: a shortfall of less than a thousandth of a request is ignored.
    if (waitMs > this.#msEach / 1000) return waitMs;
    this.#fullAt.delete(client);
    this.#forget(now);
    this.#fullAt.set(client, fullAt);
    return undefined;
  }

  /** Refunds consumed requests to the quota. */
  refund(client: string, cost: number): void {
    const fullAt = this.#fullAt.get(client);
    if (fullAt !== undefined) this.#fullAt.set(client, fullAt - cost * this.#msEach);
  }

  /**
   * Lowers the remaining quota of a client so that it is full only after `fullInMs`. Has no effect
   * if the remaining quota is already lower.
   */
  lower(client: string, fullInMs: number): void {
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, this.#now() + fullInMs);
    this.#fullAt.delete(client);
    this.#forget(this.#now());
    this.#fullAt.set(client, fullAt);
  }

  allowanceOf(client: string): Allowance {
    const fullInMs = Math.max(0, (this.#fullAt.get(client) ?? 0) - this.#now());
    return { remaining: Math.max(0, Math.floor((this.limit.windowMs - fullInMs) / this.#msEach + 0.001)), fullInMs };
  }

  /** Returns the number of clients remembered. */
  get size(): number {
    return this.#fullAt.size;
  }

  /**
   * Makes room for one client. Each call also removes up to two clients whose quota is full again,
   * so that such clients do not accumulate.
   */
  #forget(now: number): void {
    let looked = 0;
    for (const [client, fullAt] of this.#fullAt) {
      const isFull = fullAt <= now;
      if (looked++ >= 2 || (!isFull && this.#fullAt.size < this.limit.maxClients)) return;
      this.#fullAt.delete(client);
    }
  }
}
