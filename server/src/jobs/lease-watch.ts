/**
 * Renews the leases of this worker and expires those of dead workers, without comparing clocks.
 * Each worker increments the column `beats` of its jobs. Another worker expires a lease if it sees
 * no change of `beats` for `leaseMs`, measured with its own monotonic clock. So work is neither
 * lost nor duplicated if the clocks of the machines differ.
 */
import type { Logger } from "../lib/log.ts";
import type { Db } from "../records/records.ts";
import { promptMs, withStatementDeadline } from "../records/statement-deadline.ts";
import { expireLeases, foreignLeases, heartbeat, type Lease } from "./leases.ts";

/** Interval between two heartbeats, in milliseconds. */
export const heartbeatMs = 4_000;
/**
 * Time without a heartbeat after which a lease expires, in milliseconds: five missed heartbeats.
 */
export const leaseMs = 20_000;

/** The runner whose leases are renewed. */
export interface LeaseHolder {
  /** Returns the ids of the jobs that this worker is running. */
  held(): string[];
  /** Called if another worker has taken over the lease of a job, or may do so at any moment. */
  lose(id: string): void;
}

export class LeaseWatch {
  readonly #deps: { db: Db; log: Logger; worker: string };
  readonly #holder: LeaseHolder;
  readonly #seen = new Map<string, { lease: Lease; since: number }>();
  #lastHeartbeat = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;

  constructor(deps: { db: Db; log: Logger; worker: string }, holder: LeaseHolder) {
    this.#deps = deps;
    this.#holder = holder;
  }

  start(): void {
    this.#timer = setInterval(() => {
      // Skips this interval if the previous heartbeat is still waiting for the database.
      this.#renewing ??= withStatementDeadline(promptMs, () => this.#turn()).finally(() => {
        this.#renewing = undefined;
      });
    }, heartbeatMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }

  async #turn(): Promise<void> {
    const { db, worker, log } = this.#deps;
    // The jobs are listed before the heartbeat. A job that is claimed during the heartbeat may be
    // missing from the ids that the heartbeat returns. Such a job must not count as lost.
    const held = this.#holder.held();
    try {
      const startedAt = performance.now();
      const kept = await heartbeat(db, worker);
      this.#lastHeartbeat = startedAt;
      for (const id of held) if (!kept.has(id)) this.#holder.lose(id);
      await this.#expireStale(await foreignLeases(db, worker));
    } catch (error) {
      log.error({ err: error }, "the leases could not be renewed");
      // Other workers may soon consider this worker dead, so its jobs must stop.
      if (performance.now() - this.#lastHeartbeat > leaseMs - heartbeatMs) for (const id of held) this.#holder.lose(id);
    }
  }

  async #expireStale(leases: Lease[]): Promise<void> {
    const now = performance.now();
    const ids = new Set(leases.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id);
    const dead: Lease[] = [];
    for (const lease of leases) {
      const seen = this.#seen.get(lease.id);
      if (seen === undefined || !isSameHeartbeat(seen.lease, lease)) this.#seen.set(lease.id, { lease, since: now });
      else if (now - seen.since >= leaseMs) dead.push(lease);
    }
    await expireLeases(this.#deps.db, dead);
  }
}

const isSameHeartbeat = (a: Lease, b: Lease): boolean =>
  a.attempt === b.attempt && a.heartbeats === b.heartbeats && a.worker === b.worker;
