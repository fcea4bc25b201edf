/** Brings a database to the schema of this version; both databases run the same migrations. */
import type { ColumnDataType, Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { foundation } from "./migrations/0001-foundation.ts";
import { documentsAndJobs } from "./migrations/0002-documents-and-jobs.ts";
import { webhooksAndOperations } from "./migrations/0003-webhooks-and-operations.ts";
import { idempotency } from "./migrations/0004-idempotency.ts";
import { identity } from "./migrations/0005-identity.ts";
import { plansAndSubscriptions } from "./migrations/0006-plans-and-subscriptions.ts";
import { audit } from "./migrations/0007-audit.ts";
import type { Tables } from "./tables.ts";

export type Dialect = "sqlite" | "postgres";

/** Column types that the two databases name differently. */
export interface ColumnTypes {
  dialect: Dialect;
  time: ColumnDataType;
  flag: ColumnDataType;
  /** As a primary key, numbered by the database in the order of insertion. */
  sequence: ColumnDataType;
}

export const columnTypes: Record<Dialect, ColumnTypes> = {
  sqlite: { dialect: "sqlite", time: "text", flag: "integer", sequence: "integer" },
  postgres: { dialect: "postgres", time: "timestamptz(3)", flag: "boolean", sequence: "bigserial" },
};

const all: Record<string, (db: Kysely<never>, types: ColumnTypes) => Promise<void>> = {
  "0001-foundation": foundation,
  "0002-documents-and-jobs": documentsAndJobs,
  "0003-webhooks-and-operations": webhooksAndOperations,
  "0004-idempotency": idempotency,
  "0005-identity": identity,
  "0006-plans-and-subscriptions": plansAndSubscriptions,
  "0007-audit": audit,
};

function migrator(db: Kysely<Tables>, dialect: Dialect): Migrator {
  const bind = (up: (typeof all)[string]): Migration => ({ up: (db) => up(db as Kysely<never>, columnTypes[dialect]) });
  const migrations = Object.fromEntries(Object.entries(all).map(([name, up]) => [name, bind(up)]));
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: "schema_migrations",
    migrationLockTableName: "schema_migrations_lock",
  });
}

/** Runs what is missing, each migration in a transaction, one process at a time. A database of a newer version is refused. */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const { error } = await migrator(db, dialect).migrateToLatest();
  if (error) throw new Error("The database could not be brought to this version's schema.", { cause: error });
}

/** Whether every migration of this version, and no other, has run. */
export async function isCurrent(db: Kysely<Tables>, dialect: Dialect): Promise<boolean> {
  const migrations = await migrator(db, dialect).getMigrations();
  return migrations.every((migration) => migration.executedAt !== undefined);
}
