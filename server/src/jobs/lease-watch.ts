/**
 * Leases without clocks: a worker that lives counts `beats` up, and whoever sees the count of a job stand still for `leaseMs` of its own
 * monotonic time takes the worker for dead. So neither a clock that is set nor one that differs between machines loses or doubles work.
 */
import type { Logger } from "../lib/log.ts";
import type { Db } from "../records/records.ts";
import { promptMs, withStatementDeadline } from "../records/statement-deadline.ts";
import { beat, foreignLeases, type Lease, voidLeases } from "./queue.ts";

/** Time between two heartbeats. */
export const beatMs = 4_000;
/** A worker whose heartbeat stands still for this long is taken for dead. */
export const leaseMs = 20_000;

/** What runs the jobs whose leases are kept up. */
export interface LeaseHolder {
  /** The ids of the jobs that it runs. */
  held(): string[];
  /** A job that it runs is another worker's now, or will be before long. */
  lose(id: string): void;
}

export class LeaseWatch {
  readonly #deps: { db: Db; log: Logger; worker: string };
  readonly #holder: LeaseHolder;
  readonly #seen = new Map<string, { lease: Lease; since: number }>();
  #lastBeat = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;

  constructor(deps: { db: Db; log: Logger; worker: string }, holder: LeaseHolder) {
    this.#deps = deps;
    this.#holder = holder;
  }

  start(): void {
    this.#timer = setInterval(() => {
      // A turn that waits for the database is not followed by a queue of others.
      this.#beating ??= withStatementDeadline(promptMs, () => this.#turn()).finally(() => {
        this.#beating = undefined;
      });
    }, beatMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
  }

  async #turn(): Promise<void> {
    const { db, worker, log } = this.#deps;
    // What is claimed from now on is not in question.
    const held = this.#holder.held();
    try {
      const startedAt = performance.now();
      const kept = await beat(db, worker);
      this.#lastBeat = startedAt;
      for (const id of held) if (!kept.has(id)) this.#holder.lose(id);
      await this.#voidDead(await foreignLeases(db, worker));
    } catch (error) {
      log.error({ err: error }, "the leases could not be kept up");
      // Others take this worker for dead by now, so it must not go on.
      if (performance.now() - this.#lastBeat > leaseMs - beatMs) for (const id of held) this.#holder.lose(id);
    }
  }

  async #voidDead(leases: Lease[]): Promise<void> {
    const now = performance.now();
    const ids = new Set(leases.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id);
    const dead: Lease[] = [];
    for (const lease of leases) {
      const seen = this.#seen.get(lease.id);
      if (seen === undefined || !sameBeat(seen.lease, lease)) this.#seen.set(lease.id, { lease, since: now });
      else if (now - seen.since >= leaseMs) dead.push(lease);
    }
    await voidLeases(this.#deps.db, dead);
  }
}

const sameBeat = (a: Lease, b: Lease): boolean =>
  a.attempt === b.attempt && a.beats === b.beats && a.worker === b.worker;
