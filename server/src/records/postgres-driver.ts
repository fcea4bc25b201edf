/**
 * A Kysely driver that uses a pool of `pg` and copes with unreliable connections. If a connection
 * breaks or stops responding, only the statement under way fails.
 */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type IsolationLevel,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type { Pool, PoolClient } from "pg";
import { DatabaseUnavailable } from "../lib/database-unavailable.ts";
import { statementDeadline } from "./statement-deadline.ts";
import { unavailablePostgres } from "./unavailable.ts";

/**
 * Limits set in each session, in milliseconds. Because of these limits, the server eventually
 * releases the session's locks even if it cannot reach this process.
 */
const sessionLimitsMs = {
  statement_timeout: 20_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
};
/**
 * Deadline of a statement in this process, in milliseconds. It is longer than the server's limit.
 * Usually the server's limit expires first, and the connection then stays usable.
 */
const deadlineMs = sessionLimitsMs.statement_timeout + 5_000;
/** Idle time, in milliseconds, after which a connection is pinged before it is used. */
const silentMs = 2_000;
/** Time limit, in milliseconds, of the ping and of setting up a new session. */
const pingMs = 3_000;

const setLimits = Object.entries(sessionLimitsMs)
  .map(([name, ms]) => `set ${name} = ${ms}`)
  .join("; ");

export class PostgresDriver implements Driver {
  readonly #pool: Pool;
  readonly #bounded: boolean;
  readonly #connections = new WeakMap<PoolClient, PostgresConnection>();
  /**
   * Latest time at which a statement was sent that the server never answered. A connection that has
   * had no reply since this time is probably dead too, and is discarded.
   */
  #suspectBefore = Number.NEGATIVE_INFINITY;

  /** @param bounded true if statements have a deadline */
  constructor(pool: Pool, bounded: boolean) {
    this.#pool = pool;
    this.#bounded = bounded;
    // The `PostgresConnection` is created synchronously in this event, so that it already listens
    // if the packet that makes the connection ready also contains an error.
    pool.on("connect", (client) =>
      this.#connections.set(client, new PostgresConnection(client, bounded ? deadlineMs : undefined)),
    );
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    for (;;) {
      const client = await this.#connect();
      const connection = this.#connections.get(client) as PostgresConnection;
      try {
        if (!connection.hasLimits && this.#bounded) await connection.setLimits();
        if (await this.#isAlive(connection)) return connection;
        client.release(true);
      } catch (error) {
        client.release(true);
        throw error;
      }
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw unavailablePostgres(error);
    }
  }

  /** Returns whether the connection works. Pings it only if it has been idle. */
  async #isAlive(connection: PostgresConnection): Promise<boolean> {
    const askedAt = performance.now();
    if (connection.lastReplyAt < this.#suspectBefore) return false;
    if (askedAt - connection.lastReplyAt < silentMs) return true;
    try {
      await connection.send("select 1", [], pingMs);
      return true;
    } catch {
      this.#suspectBefore = Math.max(this.#suspectBefore, askedAt);
      return false;
    }
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = (isolationLevel satisfies IsolationLevel | undefined) && ` isolation level ${isolationLevel}`;
    await connection.executeQuery(CompiledQuery.raw(`begin${level ?? ""}${accessMode ? ` ${accessMode}` : ""}`));
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    const commitWasSent = !connection.isBroken;
    try {
      // Sent with `executeQuery` instead of `send`, because only statements that Kysely executes
      // appear in traces.
      await connection.executeQuery(CompiledQuery.raw("commit"));
      // The server responds with ROLLBACK if an earlier statement failed.
      if (connection.lastCommand === "ROLLBACK") throw new Error("The transaction was rolled back.");
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || error.reason !== "connection") throw error;
      throw new DatabaseUnavailable("connection", { cause: error.cause, commitWasSent });
    }
  }

  /**
   * Never throws, because the error that ended the transaction is the one to report. The server
   * rolls back if the connection is broken.
   */
  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.send("rollback").catch(() => connection.discard());
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    if (connection.timedOutAt !== undefined) this.#suspectBefore = Math.max(this.#suspectBefore, connection.timedOutAt);
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #deadlineMs: number | undefined;
  /** True if the connection is known to be unusable. */
  isBroken = false;
  /** True if the session limits are set. */
  hasLimits = false;
  /** Time of the server's last reply, as returned by `performance.now()`. */
  lastReplyAt = performance.now();
  /** Command tag of the server's last reply. */
  lastCommand: string | undefined;
  /** Time at which the statement that missed its deadline was sent. */
  timedOutAt: number | undefined;

  constructor(client: PoolClient, deadlineMs: number | undefined) {
    this.#client = client;
    this.#deadlineMs = deadlineMs;
    // The pool listens for errors only while a connection is idle. Without this listener, an error
    // of a connection in use would end the process.
    client.on("error", () => {
      this.isBroken = true;
    });
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.send(query.sql, query.parameters);
    const changes = ["INSERT", "UPDATE", "DELETE", "MERGE"].includes(command);
    return { rows: rows ?? [], ...(changes && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  async setLimits(): Promise<void> {
    await this.send(setLimits, [], pingMs);
    this.hasLimits = true;
  }

  /**
   * Sends a statement. If it misses its deadline, the connection is closed.
   * @throws DatabaseUnavailable
   */
  async send(text: string, parameters: readonly unknown[] = [], withinMs?: number) {
    const ms = withinMs ?? (this.#deadlineMs === undefined ? undefined : statementDeadline(this.#deadlineMs));
    const sentAt = performance.now();
    const timer =
      ms === undefined
        ? undefined
        : setTimeout(() => {
            this.timedOutAt = sentAt;
            this.discard();
          }, ms);
    try {
      const result = await this.#client.query(text, [...parameters]);
      this.lastReplyAt = performance.now();
      this.lastCommand = result.command;
      return result;
    } catch (error) {
      const told = unavailablePostgres(error);
      if (told instanceof DatabaseUnavailable && told.reason === "connection") this.isBroken = true;
      else this.lastReplyAt = performance.now();
      throw told;
    } finally {
      clearTimeout(timer);
    }
  }

  // biome-ignore lint/correctness/useYield: PostgreSQL reads large results with cursors of SQL
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error("Results of PostgreSQL are read with a cursor.");
  }

  /** Closes the connection. A statement under way fails. */
  discard(): void {
    this.isBroken = true;
    void this.#client.end().catch(() => {});
  }

  release(): void {
    this.#client.release(this.isBroken);
  }
}
