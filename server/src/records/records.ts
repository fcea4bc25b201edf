/** Opens the database that the settings name: SQLite in the data folder, or PostgreSQL. */
import type { Kysely, LogEvent } from "kysely";
import { type Dialect, isCurrent, migrate } from "./migrations.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Tables } from "./tables.ts";

/** A database or a transaction: the first argument of every repo function. */
export type Db = Kysely<Tables>;

export interface Records {
  db: Db;
  dialect: Dialect;
  migrate(): Promise<void>;
  isCurrent(): Promise<boolean>;
  close(): Promise<void>;
}

/** A query that is over. */
export interface QueryMade {
  /** With placeholders in place of values. */
  sql: string;
  durationMs: number;
  failed: boolean;
}

export type OnQuery = (query: QueryMade) => void;

export type RecordsSettings =
  | { dialect: "sqlite"; path: string }
  | { dialect: "postgres"; url: string; maxConnections: number; onIdleError: (error: Error) => void };

/** `onQuery` is called in the course of whoever made the query. */
export function openRecords(settings: RecordsSettings, onQuery?: OnQuery): Records {
  const { dialect } = settings;
  const log = onQuery && ((event: LogEvent) => onQuery(queryOf(event)));
  const db = dialect === "sqlite" ? openSqlite(settings.path, log) : openPostgres(settings.url, settings, log);
  return {
    db,
    dialect,
    migrate: () => migrate(db, dialect),
    isCurrent: () => isCurrent(db, dialect),
    close: () => db.destroy(),
  };
}

const queryOf = ({ level, query, queryDurationMillis }: LogEvent): QueryMade => ({
  sql: query.sql,
  durationMs: queryDurationMillis,
  failed: level === "error",
});
