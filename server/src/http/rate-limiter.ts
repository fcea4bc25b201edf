/**
 * How many requests each client may make: a quota that refills evenly, by the generic cell rate algorithm. Of a client only the moment
 * is kept at which its quota is full again; after that nothing is known of it.
 */

export interface RateLimit {
  /** Requests at once, and within `windowMs` after that. */
  quota: number;
  windowMs: number;
  /** Clients that are remembered. Of more the one that has been silent longest is forgotten, as if it had never called. */
  maxClients: number;
}

/** What a client has left. */
export interface Allowance {
  remaining: number;
  /** Until the whole quota is there again. */
  fullInMs: number;
}

export class RateLimiter {
  readonly limit: RateLimit;
  readonly #msEach: number;
  readonly #now: () => number;
  /** When the quota of a client is full again; in the order of the last request. */
  readonly #fullAt = new Map<string, number>();

  constructor(limit: RateLimit, now: () => number = () => performance.now()) {
    this.limit = limit;
    this.#msEach = limit.windowMs / limit.quota;
    this.#now = now;
  }

  /** Takes `cost` requests of a client's quota. Where so many are not left it takes none and answers after how many ms they are. */
  take(client: string, cost = 1): number | undefined {
    const now = this.#now();
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, now) + cost * this.#msEach;
    const waitMs = fullAt - now - this.limit.windowMs;
    // Sums of fractions: less than a thousandth of a request is none.
    if (waitMs > this.#msEach / 1000) return waitMs;
    this.#fullAt.delete(client);
    this.#forget(now);
    this.#fullAt.set(client, fullAt);
    return undefined;
  }

  /** Gives back what was taken and not needed. */
  giveBack(client: string, cost: number): void {
    const fullAt = this.#fullAt.get(client);
    if (fullAt !== undefined) this.#fullAt.set(client, fullAt - cost * this.#msEach);
  }

  allowanceOf(client: string): Allowance {
    const fullInMs = Math.max(0, (this.#fullAt.get(client) ?? 0) - this.#now());
    return { remaining: Math.max(0, Math.floor((this.limit.windowMs - fullInMs) / this.#msEach + 0.001)), fullInMs };
  }

  /** Clients that are remembered now. */
  get size(): number {
    return this.#fullAt.size;
  }

  /** Makes room for one client. Two at a time go whose quota is full, so that there are never more than called within the window. */
  #forget(now: number): void {
    let looked = 0;
    for (const [client, fullAt] of this.#fullAt) {
      const isFull = fullAt <= now;
      if (looked++ >= 2 || (!isFull && this.#fullAt.size < this.limit.maxClients)) return;
      this.#fullAt.delete(client);
    }
  }
}
