/**
 * Kysely's driver over a pool of `pg`, for connections that can't be trusted: one that is cut, or that stays open and says nothing, costs
 * the statement that was under way and no more.
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

/** Limits that the session sets for itself, in milliseconds: the server then frees what it holds, also where it can't reach us. */
const sessionLimitsMs = {
  statement_timeout: 20_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
};
/** Time that a statement has in this process. Longer than the server's own limit, which leaves the connection usable. */
const deadlineMs = sessionLimitsMs.statement_timeout + 5_000;
/** A connection that has been silent for this long is asked for a sign of life before it is used. */
const silentMs = 2_000;
/** Time for that sign of life, and for the settings of a new session. */
const pingMs = 3_000;

const setLimits = Object.entries(sessionLimitsMs)
  .map(([name, ms]) => `set ${name} = ${ms}`)
  .join("; ");

export class PostgresDriver implements Driver {
  readonly #pool: Pool;
  readonly #bounded: boolean;
  readonly #connections = new WeakMap<PoolClient, PostgresConnection>();
  /** Connections that were last heard of before this time are suspect: another one of that age was found dead. */
  #suspectBefore = Number.NEGATIVE_INFINITY;

  /** Without `bounded` no statement has a limit of time. */
  constructor(pool: Pool, bounded: boolean) {
    this.#pool = pool;
    this.#bounded = bounded;
    // At once: an error may come in the same packet that makes the connection ready.
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

  /** Asks a connection that has been silent. A connection that only now was made has just been heard of. */
  async #isAlive(connection: PostgresConnection): Promise<boolean> {
    const askedAt = performance.now();
    if (connection.heardAt < this.#suspectBefore) return false;
    if (askedAt - connection.heardAt < silentMs) return true;
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
      // Not `send`: only what Kysely executes is seen by traces.
      await connection.executeQuery(CompiledQuery.raw("commit"));
      // The server responds ROLLBACK if a statement before had failed.
      if (connection.lastCommand === "ROLLBACK") throw new Error("The transaction was rolled back.");
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || error.reason !== "connection") throw error;
      throw new DatabaseUnavailable("connection", { cause: error.cause, commitWasSent });
    }
  }

  /** Never throws: the error that the transaction ended with is the one to tell, and a broken connection rolls back by itself. */
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
  /** Whether it is known that nothing can be sent any more. */
  isBroken = false;
  /** Whether the session has its limits. */
  hasLimits = false;
  /** When the server last answered, in `performance.now()`. */
  heardAt = performance.now();
  /** What the server did last, in its own words. */
  lastCommand: string | undefined;
  /** When the statement was sent that the server did not answer in time. */
  timedOutAt: number | undefined;

  constructor(client: PoolClient, deadlineMs: number | undefined) {
    this.#client = client;
    this.#deadlineMs = deadlineMs;
    // The pool listens only while a connection is idle; without a listener the error of one in use would end the process.
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

  /** Sends a statement; one that is not answered in time costs the connection. @throws DatabaseUnavailable */
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
      this.heardAt = performance.now();
      this.lastCommand = result.command;
      return result;
    } catch (error) {
      const told = unavailablePostgres(error);
      if (told instanceof DatabaseUnavailable && told.reason === "connection") this.isBroken = true;
      else this.heardAt = performance.now();
      throw told;
    } finally {
      clearTimeout(timer);
    }
  }

  // biome-ignore lint/correctness/useYield: PostgreSQL reads large results with cursors of SQL
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error("Results of PostgreSQL are read with a cursor.");
  }

  /** Closes it, also in the middle of a statement, which then fails. */
  discard(): void {
    this.isBroken = true;
    void this.#client.end().catch(() => {});
  }

  release(): void {
    this.#client.release(this.isBroken);
  }
}
