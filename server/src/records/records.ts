/** Opens the configured database: SQLite in the data folder, or PostgreSQL. */
import type { Kysely, LogEvent } from "kysely";
import { type Dialect, isCurrent, migrate } from "./migrate.ts";
import { openPostgres, type PostgresOptions } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Tables } from "./tables.ts";

/**
 * A database or a transaction. It is the first argument of all functions in the `*.repo.ts` files
 * that access the database.
 */
export type Db = Kysely<Tables>;

export interface Records {
  db: Db;
  dialect: Dialect;
  migrate(): Promise<void>;
  isCurrent(): Promise<boolean>;
  close(): Promise<void>;
}

/** A finished query. */
export interface QueryMade {
  /** SQL with placeholders instead of values. */
  sql: string;
  durationMs: number;
  failed: boolean;
}

export type OnQuery = (query: QueryMade) => void;

export type RecordsSettings =
  | { dialect: "sqlite"; path: string }
  | ({ dialect: "postgres"; url: string } & PostgresOptions);

/** @param onQuery called in the async context of the code that made the query */
export function openRecords(settings: RecordsSettings, onQuery?: OnQuery): Records {
  const { dialect } = settings;
  const log = onQuery && ((event: LogEvent) => onQuery(queryOf(event)));
  const db = dialect === "sqlite" ? openSqlite(settings.path, log) : openPostgres(settings.url, settings, log);
  return {
    db,
    dialect,
    migrate: () => migrateUnbounded(settings, db),
    isCurrent: () => isCurrent(db, dialect),
    close: () => db.destroy(),
  };
}

/** Runs the migrations without a deadline, because their duration depends on the number of rows. */
async function migrateUnbounded(settings: RecordsSettings, db: Db): Promise<void> {
  if (settings.dialect === "sqlite" || settings.unbounded) return migrate(db, settings.dialect);
  const unbounded = openPostgres(settings.url, { ...settings, maxConnections: 1, unbounded: true });
  try {
    await migrate(unbounded, settings.dialect);
  } finally {
    await unbounded.destroy();
  }
}

const queryOf = ({ level, query, queryDurationMillis }: LogEvent): QueryMade => ({
  sql: query.sql,
  durationMs: queryDurationMillis,
  failed: level === "error",
});
