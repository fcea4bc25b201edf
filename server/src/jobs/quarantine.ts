/**
 * Runs suspects in quarantine: jobs during which a process crashed more than once. A crash beside
 * other jobs does not show which one caused it; the operator may have stopped the service, or
 * memory ran out. A crash while a job runs alone is evidence.
 */
import type { Db } from "../records/records.ts";
import { catalog, isHarmless, type JobName } from "./catalog.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import { claimAlone, endAlone, findSuspect, suspectAfter } from "./suspects.ts";

/**
 * How long other jobs are held back so that running ones can finish. Longer ones, such as long
 * documents, are not waited for.
 */
const drainMs = 60_000;
/** Pause after waiting in vain; other jobs run meanwhile. */
const restMs = 5 * 60_000;
/**
 * How long a suspect runs alone. Four times as long after each further crash, to catch jobs that
 * crash late.
 */
const aloneMs = (crashes: number): number => 2 * 60_000 * 4 ** (crashes - suspectAfter);

/**
 * How long a process must have run before a suspect that has crashed alone runs again. If processes
 * are killed from outside in quick succession, they are killed without the suspect, which clears
 * it.
 */
const settleMs = 20_000;

const suspicious = (Object.keys(catalog) as JobName[]).filter((name) => !isHarmless(name));

export interface QuarantineDeps {
  db: Db;
  worker: string;
  /** Default 20 s. */
  settledAfterMs?: number;
}

export class Quarantine {
  readonly #db: Db;
  readonly #worker: string;
  #suspect: { id: string; aloneUntil: number } | undefined;
  #drainFrom: number | undefined;
  #restUntil = 0;
  readonly #settledAt: number;

  constructor({ db, worker, settledAfterMs = settleMs }: QuarantineDeps) {
    this.#db = db;
    this.#worker = worker;
    this.#settledAt = performance.now() + settledAfterMs;
  }

  /**
   * Returns a suspect that starts to run alone now; "wait" if only harmless jobs may start, because
   * a suspect runs or is about to; "none" if there is no suspect.
   */
  async next(running: readonly ClaimedJob[]): Promise<ClaimedJob | "wait" | "none"> {
    if (this.#suspect && running.some(({ id }) => id === this.#suspect?.id))
      return await this.#watchSuspect(this.#suspect);
    this.#suspect = undefined;
    const now = performance.now();
    if (now < this.#restUntil) return "none";
    const found = await findSuspect(this.#db, suspicious, { hasSettled: now >= this.#settledAt });
    if (found === undefined) {
      this.#drainFrom = undefined;
      return "none";
    }
    if (running.some(({ name }) => !isHarmless(name))) return this.#drain(now);
    this.#drainFrom = undefined;
    const claimed = await claimAlone(this.#db, found, this.#worker);
    if (claimed === undefined) return "none";
    this.#suspect = { id: claimed.id, aloneUntil: now + aloneMs(claimed.crashes) };
    return claimed;
  }

  async #watchSuspect(suspect: { id: string; aloneUntil: number }): Promise<"wait" | "none"> {
    if (performance.now() < suspect.aloneUntil) return "wait";
    await endAlone(this.#db, suspect.id);
    this.#suspect = undefined;
    return "none";
  }

  #drain(now: number): "wait" | "none" {
    this.#drainFrom ??= now;
    if (now - this.#drainFrom < drainMs) return "wait";
    this.#drainFrom = undefined;
    this.#restUntil = now + restMs;
    return "none";
  }
}
