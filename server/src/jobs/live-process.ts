/**
 * The processes that share a database and are alive: what one of them has begun and not ended is void once it is not among them. As with
 * the leases of jobs, no clock is compared: a process whose heartbeat stands still for as long as a lease is taken off the list.
 */
import { sql } from "kysely";
import { newId } from "../lib/ids.ts";
import type { Logger } from "../lib/log.ts";
import type { Db } from "../records/records.ts";
import { promptMs, withStatementDeadline } from "../records/statement-deadline.ts";
import { beatMs, leaseMs } from "./lease-watch.ts";

export interface LiveProcessDeps {
  db: Db;
  log: Logger;
  /** Name of the data folder's owner, the same after a restart. */
  worker: string;
}

export class LiveProcess implements AsyncDisposable {
  /** Another one at each start. */
  readonly id = newId();
  readonly #deps: LiveProcessDeps;
  readonly #seen = new Map<string, { beats: number; since: number }>();
  readonly #timer: NodeJS.Timeout;
  #turn: Promise<void> | undefined;

  private constructor(deps: LiveProcessDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => {
      this.#turn ??= withStatementDeadline(promptMs, () => this.#beat())
        .catch((error: unknown) => this.#deps.log.error({ err: error }, "the heartbeat of the process failed"))
        .finally(() => {
          this.#turn = undefined;
        });
    }, beatMs).unref();
  }

  /** Enters this process into the list. An earlier one of the same data folder has ended. */
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

  async #beat(): Promise<void> {
    const { db } = this.#deps;
    const { numUpdatedRows } = await db
      .updateTable("live_processes")
      .set({ beats: sql`beats + 1` })
      .where("id", "=", this.id)
      .executeTakeFirst();
    // Others took this process for dead: what it had begun may be another's now, and what it begins from now on is its own.
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
    // Without the database the others find out by themselves.
    await this.#deps.db
      .deleteFrom("live_processes")
      .where("id", "=", this.id)
      .execute()
      .catch(() => {});
  }
}
