/** Kysely over PostgreSQL, with the same JavaScript values as SQLite gives: ISO text for times, numbers for 64-bit integers. */
import { type Driver, Kysely, type Logger, PostgresDialect } from "kysely";
import { Pool, type PoolConfig, types } from "pg";
import { PostgresDriver } from "./postgres-driver.ts";
import { RetryingKysely } from "./retried-transactions.ts";
import type { Tables } from "./tables.ts";

const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
]);

export interface PostgresOptions {
  maxConnections: number;
  /** Called with the error of a connection that breaks while it is idle. In use, the statement under way fails with it. */
  onIdleError: (error: Error) => void;
  /** Statements may take as long as they like, and no transaction is retried: for migrations, backups and restores. */
  unbounded?: boolean;
}

/** Time to wait for a connection, new or of the pool. */
const connectTimeoutMs = 10_000;
/** The first keepalive probe of TCP; the system sends the next ones and gives up after about 10 s. */
const keepAliveAfterMs = 10_000;

export function openPostgres(url: string, options: PostgresOptions, log?: Logger): Kysely<Tables> {
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
  // An idle connection that breaks (server restarted) is replaced at the next query; without a listener it would end the process.
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
