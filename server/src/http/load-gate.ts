/**
 * Refuses requests while the process has more to do than it can, so that those that it takes are answered in good time. Three things tell:
 * turns of the event loop that stay long, new connections that wait to be accepted, and requests under way.
 *
 * In a turn the loop answers whatever has arrived meanwhile; where more arrives than can be answered, each turn is longer than the one
 * before. One long turn is no overload, so nothing is refused until turns, or the wait of connections, have been long for a while. Then
 * each turn takes requests for as long as a turn may be and refuses the rest, which costs next to nothing; and while connections wait
 * too long all are refused, until they don't. That drains what waits in a moment where clients keep their connections. Where they open one
 * for each request it is the connections that cost, and refusing would only keep from work: so it is done for a part of the time at most.
 *
 * A tenant that has much less under way than another did not cause the overload, and is not refused for it.
 */
import type { IncomingHttpHeaders } from "node:http";
import { performance } from "node:perf_hooks";
import { type Admission, FairAdmission } from "../lib/fair-admission.ts";
import { KnownTenants } from "./known-tenants.ts";

/** A turn of the event loop that takes longer is long. */
const longTurnMs = 250;
/** A connection that waits longer to be accepted waits long. */
const longWaitMs = 250;
/** What is long for this time is an overload. */
const patienceMs = 2_000;
/** So long all are refused for the wait of connections, out of every three seconds. */
const drainMs = 750;
const drainEveryMs = 3_000;
const tickMs = 20;
/** What was refused is told so often at most. */
const reportEveryMs = 1_000;
/** Requests under way of one tenant that are reason enough to spare the tenants with less than half as many. Chosen by hand, 2026-11. */
const heavyRequests = 8;
/** Below this share of its time at work the event loop keeps nobody waiting. */
const busyShare = 0.9;

/** How long new connections wait; measured when it is told to. */
export interface ConnectionWait {
  readonly ms: number;
  knock(): void;
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
   * @param maxRequests requests under way at most, shared fairly by tenant.
   * @param report is told now and then how many were refused since it was told.
   */
  constructor(maxRequests: number, report: (refused: number) => void, now: () => number = () => performance.now()) {
    this.#requests = new FairAdmission(maxRequests);
    this.#report = report;
    this.#now = now;
    this.#lastTick = now();
    this.#timer = setInterval(() => this.#measure(), tickMs).unref();
  }

  /** Heeds the wait of connections too. */
  watch(wait: ConnectionWait): void {
    this.#wait = wait;
  }

  /** Takes down how long the turn of the event loop was that ends now, and how long connections wait. */
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

  /** To be called when a request is refused. */
  refuse(): void {
    this.#refused++;
  }

  /** Admits an authenticated request until its admission is disposed of. Returns undefined if it is to be refused. */
  enter(tenant: string, headers: IncomingHttpHeaders): Admission | undefined {
    this.#tenants.remember(headers, tenant);
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
    if (share >= busyShare || this.#longWaitSince !== undefined) this.#wait?.knock();
    this.tick();
  }
}
