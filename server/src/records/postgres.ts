/** Kysely over PostgreSQL, with the same JavaScript values as SQLite gives: ISO text for times, numbers for 64-bit integers. */
import { Kysely, type Logger, PostgresDialect } from "kysely";
import { Pool, type PoolConfig, types } from "pg";
import type { Tables } from "./tables.ts";

const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
]);

export function openPostgres(
  url: string,
  options: { maxConnections: number; onIdleError: (error: Error) => void },
  log?: Logger,
): Kysely<Tables> {
  const config: PoolConfig = {
    connectionString: url,
    max: options.maxConnections,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (id: number, format?: "text" | "binary") =>
        parsers.get(id) ?? types.getTypeParser(id, format as "text"),
    } as never,
  };
  const pool = new Pool(config);
  // An idle connection that breaks (server restarted) is replaced at the next query; without a listener it would end the process.
  pool.on("error", options.onIdleError);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), ...(log && { log }) });
}
