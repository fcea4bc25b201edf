/**
 * Load shedding: refuses requests while the process is overloaded, so that admitted ones are
 * answered in good time. It watches the length of event loop turns, the wait of new connections,
 * and the number of requests under way.
 * In each turn the loop handles whatever arrived meanwhile, so under overload each turn is longer
 * than the previous one. A single long turn is no overload; nothing is refused until turns, or the
 * wait of connections, have been long for `patienceMs`. From then on each turn admits requests for
 * `longTurnMs` and refuses the rest, which costs next to nothing. While connections wait too long,
 * all requests are refused. That clears the backlog quickly if clients keep their connections. If
 * they open one per request, the connections cause the load and refusing does not help, so it is
 * limited to a share of the time.
 * A tenant that has much less under way than another did not cause the overload, and is not refused
 * for it.
 */
import type { IncomingHttpHeaders } from "node:http";
import { performance } from "node:perf_hooks";
import { type Admission, FairAdmission } from "../lib/fair-admission.ts";
import { KnownTenants } from "./known-tenants.ts";

/** A turn of the event loop that takes longer counts as long. */
const longTurnMs = 250;
/** A connection that waits longer to be accepted counts as waiting long. */
const longWaitMs = 250;
/** How long turns or waits must stay long to count as an overload. */
const patienceMs = 2_000;
/** How long all requests are refused because connections wait, out of every `drainEveryMs`. */
const drainMs = 750;
const drainEveryMs = 3_000;
const tickMs = 20;
/** Minimum interval between two reports of refused requests. */
const reportEveryMs = 1_000;
/**
 * Requests under way of one tenant from which on tenants with less than half as many are spared.
 * Chosen by hand, 2026-11.
 */
const heavyRequests = 8;
/** Utilization below which the event loop delays nobody. */
const busyShare = 0.9;

/** How long new connections wait to be accepted; measured on request. */
export interface ConnectionWait {
  readonly ms: number;
  probe(): void;
}

export class LoadGate implements Disposable {
  readonly #requests: FairAdmission;
  readonly #tenants = new KnownTenants();
  readonly #report: (refused: number) => void;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #wait: ConnectionWait | undefined;
  #utilization = performance.eventLoopUtilization();
  #lastTick: number;
  #longTurnsSince: number | undefined;
  #longWaitSince: number | undefined;
  #refused = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param maxRequests maximum requests under way, shared fairly by tenant
   * @param report called from time to time with the number of requests refused since the last call
   */
  constructor(maxRequests: number, report: (refused: number) => void, now: () => number = () => performance.now()) {
    this.#requests = new FairAdmission(maxRequests);
    this.#report = report;
    this.#now = now;
    this.#lastTick = now();
    this.#timer = setInterval(() => this.#measure(), tickMs).unref();
  }

  /** Takes the wait of connections into account, too. */
  watch(wait: ConnectionWait): void {
    this.#wait = wait;
  }

  /** Records the length of the event loop turn that ends now, and how long connections wait. */
  tick(): void {
    const now = this.#now();
    const turnMs = now - this.#lastTick;
    this.#lastTick = now;
    this.#longTurnsSince = turnMs < longTurnMs ? undefined : (this.#longTurnsSince ?? now - turnMs);
    const waitMs = this.#wait?.ms ?? 0;
    this.#longWaitSince = waitMs < longWaitMs ? undefined : (this.#longWaitSince ?? now);
    if (this.#refused > 0 && now - this.#reportedAt >= reportEveryMs) this.#reportRefused(now);
  }

  /**
   * Returns whether to refuse a request that has just arrived, before its credentials are checked.
   * @param network tenant of requests whose credentials were not seen before.
   */
  isClosedTo(headers: IncomingHttpHeaders, network: string): boolean {
    if (!this.#isOverloaded) return false;
    return !this.#requests.isOutweighed(this.#tenants.of(headers) ?? network, heavyRequests);
  }

  get #isOverloaded(): boolean {
    const now = this.#now();
    const overloadMs = (since: number | undefined) => (since === undefined ? -1 : now - since - patienceMs);
    const drainingMs = overloadMs(this.#longWaitSince);
    if (drainingMs >= 0 && drainingMs % drainEveryMs < drainMs) return true;
    return overloadMs(this.#longTurnsSince) >= 0 && now - this.#lastTick >= longTurnMs;
  }

  /** Counts a refused request. */
  refuse(): void {
    this.#refused++;
  }

  /**
   * Admits a request until its admission is disposed of. Returns undefined if the request must be
   * refused.
   * @param authenticated headers whose credentials were verified. Others must not be passed: they
   * could be anybody's, and as many as a client likes.
   */
  enter(tenant: string, authenticated?: IncomingHttpHeaders): Admission | undefined {
    if (authenticated) this.#tenants.remember(authenticated, tenant);
    return this.#requests.admit(tenant);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #reportRefused(now: number): void {
    this.#report(this.#refused);
    this.#refused = 0;
    this.#reportedAt = now;
  }

  #measure(): void {
    const utilization = performance.eventLoopUtilization();
    const { utilization: share } = performance.eventLoopUtilization(utilization, this.#utilization);
    this.#utilization = utilization;
    if (share >= busyShare || this.#longWaitSince !== undefined) this.#wait?.probe();
    this.tick();
  }
}
