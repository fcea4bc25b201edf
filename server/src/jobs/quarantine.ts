/**
 * Runs suspects, which are jobs during which a process crashed more than once, in quarantine. A
 * crash while several jobs run does not show which of them caused it. Perhaps none did: the
 * operator may have killed the service, or memory may have run out. A crash while a job runs alone
 * is evidence against that job.
 */
import type { Db } from "../records/records.ts";
import { catalog, isHarmless, type JobName } from "./catalog.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import { claimAlone, endAlone, findSuspect, suspectAfter } from "./suspects.ts";

/**
 * Maximum time, in milliseconds, during which no new jobs are started so that the running jobs can
 * finish before a suspect runs. If a running job takes longer, as with a long document, the suspect
 * has to wait for `restMs`.
 */
const drainMs = 60_000;
/**
 * Pause, in milliseconds, before the next attempt to run a suspect if the running jobs did not
 * finish in time. Other jobs run during the pause.
 */
const restMs = 5 * 60_000;
/**
 * Returns how long a suspect runs alone, in milliseconds. Each further crash makes this time four
 * times as long, to detect jobs that crash late.
 */
const aloneMs = (crashes: number): number => 2 * 60_000 * 4 ** (crashes - suspectAfter);

/**
 * Minimum age of a process, in milliseconds, before it runs a suspect that has already crashed
 * while running alone. If something other than a job keeps killing the process, the process usually
 * ends before this age. Because no suspect was running, the suspects are then cleared.
 */
const settleMs = 20_000;

const suspicious = (Object.keys(catalog) as JobName[]).filter((name) => !isHarmless(name));

export interface QuarantineDeps {
  db: Db;
  worker: string;
  /**
   * Minimum age of this process before it runs a suspect that has already crashed while running
   * alone. Default: 20 s.
   */
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
   * Returns a suspect that must run alone now. While a suspect is running, or waiting for the other
   * jobs to finish, returns "wait": only harmless jobs may start then. Returns "none" if there is
   * no suspect.
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
