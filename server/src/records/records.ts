/** Opens the database that the settings name: SQLite in the data folder, or PostgreSQL. */
import type { Kysely } from "kysely";
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

export type RecordsSettings =
  | { dialect: "sqlite"; path: string }
  | { dialect: "postgres"; url: string; maxConnections: number; onIdleError: (error: Error) => void };

export function openRecords(settings: RecordsSettings): Records {
  const { dialect } = settings;
  const db = dialect === "sqlite" ? openSqlite(settings.path) : openPostgres(settings.url, settings);
  return {
    db,
    dialect,
    migrate: () => migrate(db, dialect),
    isCurrent: () => isCurrent(db, dialect),
    close: () => db.destroy(),
  };
}
