/**
 * Maintains the list of live processes that share a database. If a process is no longer in the
 * list, its unfinished requests count as abandoned. As with job leases, no clocks are compared: a
 * process whose heartbeat count does not change for `leaseMs` is removed from the list.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { newId } from "../lib/ids.ts";
import type { Logger } from "../lib/log.ts";
import type { Db } from "../records/records.ts";
import { promptMs, withStatementDeadline } from "../records/statement-deadline.ts";
import { heartbeatMs, leaseMs } from "./lease-watch.ts";

export interface LiveProcessDeps {
  db: Db;
  log: Logger;
  /** Name of the owner of the data folder. It stays the same after a restart. */
  worker: string;
}

export class LiveProcess implements AsyncDisposable {
  /** Id of this process, which is new at each start. */
  readonly id = newId();
  readonly #deps: LiveProcessDeps;
  readonly #seen = new Map<string, { beats: number; since: number }>();
  readonly #timer: NodeJS.Timeout;
  #turn: Promise<void> | undefined;

  private constructor(deps: LiveProcessDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => {
      this.#turn ??= withStatementDeadline(promptMs, () => this.#heartbeat())
        .catch((error: unknown) => this.#deps.log.error({ err: error }, "the heartbeat of the process failed"))
        .finally(() => {
          this.#turn = undefined;
        });
    }, heartbeatMs).unref();
  }

  /**
   * Adds this process to the list. Removes the previous process with the same data folder, because
   * that process has ended.
   */
  static async open(deps: LiveProcessDeps): Promise<LiveProcess> {
    const process = new LiveProcess(deps);
    await deps.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("live_processes").where("worker", "=", deps.worker).execute();
      await process.#enter(transaction);
    });
    return process;
  }

  async #enter(db: Db): Promise<void> {
    await db.insertInto("live_processes").values({ id: this.id, worker: this.#deps.worker }).execute();
  }

  async #heartbeat(): Promise<void> {
    const { db } = this.#deps;
    const { numUpdatedRows } = await db
      .updateTable("live_processes")
      .set({ beats: sql`beats + 1` })
      .where("id", "=", this.id)
      .executeTakeFirst();
    // Other processes considered this one dead and may have taken over its work. It is now listed
    // again for new work.
    if (numUpdatedRows === 0n) await this.#enter(db);
    const others = await db.selectFrom("live_processes").select(["id", "beats"]).where("id", "!=", this.id).execute();
    const now = performance.now();
    for (const id of this.#seen.keys()) if (!others.some((other) => other.id === id)) this.#seen.delete(id);
    for (const { id, beats } of others) {
      const seen = this.#seen.get(id);
      if (seen?.beats !== beats) this.#seen.set(id, { beats, since: now });
      else if (now - seen.since >= leaseMs)
        await db.deleteFrom("live_processes").where("id", "=", id).where("beats", "=", beats).execute();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#turn;
    // If the database is unreachable, the other processes notice the missing heartbeat instead.
    await this.#deps.db
      .deleteFrom("live_processes")
      .where("id", "=", this.id)
      .execute()
      .catch(() => {});
  }
}

/**
 * Observes heartbeats for some seconds. Returns whether any process of the installation is running.
 */
export async function hasLiveProcess(db: Db): Promise<boolean> {
  const beats = async () =>
    new Map(
      (await db.selectFrom("live_processes").select(["id", "beats"]).execute()).map(({ id, beats }) => [id, beats]),
    );
  const before = await beats();
  if (before.size === 0) return false;
  await sleep(2.5 * heartbeatMs);
  return [...(await beats())].some(([id, count]) => before.get(id) !== count);
}
