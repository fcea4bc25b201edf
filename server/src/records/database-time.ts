/**
 * The clock of the database. All processes share it, so rate limits with short windows work even if
 * the clocks of the machines differ.
 */
import { PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Db } from "./records.ts";

/**
 * Returns whether the database is PostgreSQL. Used for the few statements that must be different
 * for SQLite.
 */
export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Returns an SQL expression for the time at which the statement started, in microseconds since
 * 1970. With SQLite, it is precise to the millisecond only.
 */
export const databaseTimeUs = (db: Db): RawBuilder<number> =>
  isPostgres(db)
    ? sql`(extract(epoch from statement_timestamp()) * 1000000)::bigint`
    : sql`(cast(unixepoch('subsec') * 1000 as integer) * 1000)`;
