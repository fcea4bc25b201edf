/**
 * Load shedding: refuses requests while the process is overloaded, so that admitted ones get their
 * response in time. It watches the length of event loop turns, the wait of new connections, and the
 * number of requests under way. In each turn the loop handles everything that arrived during the
 * previous turn, so under overload turns become longer and longer. A single long turn is not an
 * overload. Requests are refused only after turns, or the waits of new connections, have been too
 * long for `patienceMs`. From then on each turn admits requests for its first `longTurnMs` and
 * refuses the rest, which takes hardly any time. While new connections wait too long, all requests
 * are refused. This clears the backlog quickly if clients reuse their connections. If clients open
 * a connection per request, the connections themselves cause the load, and refusing requests does
 * not reduce it. So all requests are refused for at most `drainMs` of each `drainEveryMs`. A tenant
 * with far fewer requests under way than another did not cause the overload, so its requests are
 * not refused.
 */
import type { IncomingHttpHeaders } from "node:http";
import { performance } from "node:perf_hooks";
import { type Admission, FairAdmission } from "../lib/fair-admission.ts";
import { KnownTenants } from "./known-tenants.ts";

/** Duration, in milliseconds, above which a turn of the event loop counts as long. */
const longTurnMs = 250;
/** Time until a connection is accepted, in milliseconds, above which its wait counts as long. */
const longWaitMs = 250;
/** How long turns or waits must stay long to count as an overload, in milliseconds. */
const patienceMs = 2_000;
/**
 * Maximum time in milliseconds, per `drainEveryMs`, for which all requests are refused because
 * connections wait.
 */
const drainMs = 750;
const drainEveryMs = 3_000;
const tickMs = 20;
/** Minimum interval between two reports of refused requests. */
const reportEveryMs = 1_000;
/**
 * If a tenant has at least this many requests under way, tenants with less than half as many are
 * exempt from load shedding. Chosen by hand, 2026-11.
 */
const heavyRequests = 8;
/**
 * Utilization of the event loop from which the wait of new connections is measured. Below it, the
 * loop is idle enough not to delay requests, so the wait is measured only while it is still long.
 */
const busyShare = 0.9;

/** How long new connections wait to be accepted. Measured when needed. */
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
   * @param maxRequests maximum number of requests under way, shared fairly by tenant
   * @param report called at intervals with the number of requests refused since its last call
   */
  constructor(maxRequests: number, report: (refused: number) => void, now: () => number = () => performance.now()) {
    this.#requests = new FairAdmission(maxRequests);
    this.#report = report;
    this.#now = now;
    this.#lastTick = now();
    this.#timer = setInterval(() => this.#measure(), tickMs).unref();
  }

  /** Makes the gate also consider how long new connections wait. */
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
   * @param network network of the client, used as the tenant if the credentials are unknown
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
   * Admits a request, which counts as under way until its admission is disposed of. Returns
   * undefined if the request must be refused.
   * @param authenticated headers whose credentials were verified. Never pass unverified ones: a
   * client could forge any number of them.
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
