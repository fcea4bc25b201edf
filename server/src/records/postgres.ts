/**
 * Opens Kysely over PostgreSQL. Times and 64-bit integers have the same JavaScript types as with
 * SQLite: ISO text for times, numbers for 64-bit integers.
 */
import { createRequire } from "node:module";
import { type Driver, Kysely, type Logger, PostgresDialect } from "kysely";
import type { Pool, PoolConfig } from "pg";
import { PostgresDriver } from "./postgres-driver.ts";
import { RetryingKysely } from "./retried-transactions.ts";
import type { Tables } from "./tables.ts";

export interface PostgresOptions {
  maxConnections: number;
  /**
   * Called if an idle connection breaks. If a connection breaks while in use, the statement under
   * way fails with the error.
   */
  onIdleError: (error: Error) => void;
  /**
   * Turns off statement deadlines and transaction retries, for migrations, backups and restores.
   */
  unbounded?: boolean;
}

/** Maximum time to wait for a connection, new or from the pool, in milliseconds. */
const connectTimeoutMs = 10_000;
/**
 * Delay of the first TCP keepalive probe, in milliseconds. If there is no reply, the operating
 * system closes the connection after about 10 s.
 */
const keepAliveAfterMs = 10_000;

const require = createRequire(import.meta.url);

export function openPostgres(url: string, options: PostgresOptions, log?: Logger): Kysely<Tables> {
  // `pg` is loaded only here, because a service that uses SQLite does not need it.
  const { Pool, types } = require("pg") as typeof import("pg");
  const parsers = new Map<number, (text: string) => unknown>([
    [types.builtins.INT8, Number],
    [types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
  ]);
  const config: PoolConfig = {
    connectionString: url,
    max: options.maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    types: {
      getTypeParser: (id: number, format?: "text" | "binary") =>
        parsers.get(id) ?? types.getTypeParser(id, format as "text"),
    } as never,
  };
  const pool = new Pool(config);
  // If an idle connection breaks, for instance because the server restarts, the next query replaces
  // it. Without a listener, the error would end the process.
  pool.on("error", options.onIdleError);
  const bounded = !options.unbounded;
  const dialect = new DrivenDialect(pool, bounded);
  return new (bounded ? RetryingKysely : Kysely<Tables>)({ dialect, ...(log && { log }) });
}

class DrivenDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #bounded: boolean;

  constructor(pool: Pool, bounded: boolean) {
    super({ pool });
    this.#pool = pool;
    this.#bounded = bounded;
  }

  override createDriver(): Driver {
    return new PostgresDriver(this.#pool, this.#bounded);
  }
}
