/**
 * Uses PostgreSQL's LISTEN and NOTIFY to tell the job runners of other processes that jobs may be
 * due. If a notification is lost, the job runners find the jobs at their next poll.
 */
import { sql } from "kysely";
import type { Client } from "pg";
import type { Logger } from "../lib/log.ts";
import type { Db } from "../records/records.ts";

export interface JobCalls extends AsyncDisposable {
  /** Notifies the other processes. Calls in quick succession are sent as one notification. */
  call(): void;
}

interface JobCallsDeps {
  db: Db;
  log: Logger;
  /** Called if another process may have enqueued a job; undefined if this process runs no jobs. */
  onCall: (() => void) | undefined;
}

const channel = "sheaf_jobs";
/** Minimum interval between two notifications that this process sends, in milliseconds. */
const callEveryMs = 20;
/**
 * Timeout of a connection attempt, in milliseconds. A service that is stopping waits for a pending
 * attempt.
 */
const connectMs = 3_000;
/** Pause before a lost connection is reopened, in milliseconds. */
const reconnectMs = 5_000;

/**
 * Starts listening for notifications of other processes if this process runs jobs. With SQLite
 * there are no other processes, so nothing is sent or received.
 */
export const openJobCalls = (
  database: { dialect: "sqlite" } | { dialect: "postgres"; url: string },
  deps: JobCallsDeps,
): JobCalls =>
  database.dialect === "sqlite"
    ? { call: () => {}, [Symbol.asyncDispose]: async () => {} }
    : new PostgresCalls(database.url, deps);

class PostgresCalls implements JobCalls {
  readonly #url: string;
  readonly #deps: JobCallsDeps;
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #sending: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, deps: JobCallsDeps) {
    this.#url = url;
    this.#deps = deps;
    if (deps.onCall) this.#connect();
  }

  call(): void {
    if (this.#closed) return;
    this.#sending ??= setTimeout(() => {
      this.#sending = undefined;
      sql`select pg_notify(${channel}, '')`.execute(this.#deps.db).catch(() => {});
    }, callEveryMs).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#sending);
    clearTimeout(this.#reconnect);
    await this.#connecting;
    await this.#client?.end().catch(() => {});
  }

  #connect(): void {
    this.#connecting = this.#listen()
      .catch((error: unknown) => {
        this.#deps.log.debug({ err: error }, "the connection for job notifications of other processes failed");
        this.#lost();
      })
      .finally(() => {
        this.#connecting = undefined;
      });
  }

  async #listen(): Promise<void> {
    // Loaded here because a service with SQLite does not need `pg`.
    const { Client: PostgresClient } = await import("pg");
    const client = new PostgresClient({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    });
    this.#client = client;
    client.on("error", () => this.#lost());
    client.on("end", () => this.#lost());
    client.on("notification", () => this.#deps.onCall?.());
    await client.connect();
    await client.query(`listen ${channel}`);
    // Notifications that were sent while there was no connection are lost, so jobs may already be
    // due.
    this.#deps.onCall?.();
  }

  #lost(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.removeAllListeners();
    // A connection that is being closed may still report errors.
    client?.on("error", () => {});
    void client?.end().catch(() => {});
    if (this.#closed) return;
    this.#reconnect ??= setTimeout(() => {
      this.#reconnect = undefined;
      this.#connect();
    }, reconnectMs).unref();
  }
}
