/**
 * Runs suspects alone: jobs during which a process has crashed more than once. A crash beside others tells nothing of who caused it, as
 * when an operator ends the service or the machine lacks memory; one while a job runs alone is evidence.
 */
import type { Db } from "../records/records.ts";
import { catalog, isHarmless, type JobName } from "./catalog.ts";
import { type ClaimedJob, claimAlone, endAlone, findSuspect } from "./queue.ts";

/** How long others are held back so that those that run come to their end. A long document takes longer, and is not waited for. */
const drainMs = 60_000;
/** How long others run again if it was in vain. */
const restMs = 5 * 60_000;
/** How long a suspect runs alone: four times as long after each further crash, so that one that crashes late is found out too. */
const aloneMs = (deaths: number): number => 2 * 60_000 * 4 ** (deaths - 2);

const suspicious = (Object.keys(catalog) as JobName[]).filter((name) => !isHarmless(name));

export class Quarantine {
  readonly #db: Db;
  readonly #worker: string;
  #suspect: { id: string; aloneUntil: number } | undefined;
  #drainFrom: number | undefined;
  #restUntil = 0;

  constructor({ db, worker }: { db: Db; worker: string }) {
    this.#db = db;
    this.#worker = worker;
  }

  /**
   * Returns a suspect that begins to run alone now. "wait": no job may begin but harmless ones, because a suspect runs or is about to.
   * "none": nothing of this kind.
   */
  async next(running: readonly ClaimedJob[]): Promise<ClaimedJob | "wait" | "none"> {
    if (this.#suspect && running.some(({ id }) => id === this.#suspect?.id)) return await this.#mind(this.#suspect);
    this.#suspect = undefined;
    const now = performance.now();
    if (now < this.#restUntil) return "none";
    const found = await findSuspect(this.#db, suspicious);
    if (found === undefined) {
      this.#drainFrom = undefined;
      return "none";
    }
    if (running.some(({ name }) => !isHarmless(name))) return this.#drain(now);
    this.#drainFrom = undefined;
    const claimed = await claimAlone(this.#db, found, this.#worker);
    if (claimed === undefined) return "none";
    this.#suspect = { id: claimed.id, aloneUntil: now + aloneMs(claimed.deaths) };
    return claimed;
  }

  async #mind(suspect: { id: string; aloneUntil: number }): Promise<"wait" | "none"> {
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
