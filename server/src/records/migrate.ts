/** Migrates a database to the schema of this version. Both databases run the same migrations. */
import { type ColumnDataType, type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { foundation } from "./migrations/0001-foundation.ts";
import { documentsAndJobs } from "./migrations/0002-documents-and-jobs.ts";
import { webhooksAndOperations } from "./migrations/0003-webhooks-and-operations.ts";
import { idempotency } from "./migrations/0004-idempotency.ts";
import { identity } from "./migrations/0005-identity.ts";
import { plansAndSubscriptions } from "./migrations/0006-plans-and-subscriptions.ts";
import { audit } from "./migrations/0007-audit.ts";
import { modelCalls } from "./migrations/0008-model-calls.ts";
import { installationAndCrashes } from "./migrations/0010-installation-and-crashes.ts";
import { requestKeys } from "./migrations/0011-request-keys.ts";
import { signIn } from "./migrations/0014-sign-in.ts";
import { tokenReservations } from "./migrations/0017-token-reservations.ts";
import { firstSignIn } from "./migrations/0020-first-sign-in.ts";
import { threadTitles } from "./migrations/0022-thread-titles.ts";
import { reviewAndReplay } from "./migrations/0023-review-and-replay.ts";
import { secondFactor } from "./migrations/0024-second-factor.ts";
import { keptClassifications } from "./migrations/0025-kept-classifications.ts";
import { learnedPapers } from "./migrations/0030-learned-papers.ts";
import { agentVersions } from "./migrations/0031-agent-versions.ts";
import { signOn } from "./migrations/0032-sign-on.ts";
import { indexVersions } from "./migrations/0033-index-versions.ts";
import { stateChanges } from "./migrations/0034-state-changes.ts";
import { failedAttempts } from "./migrations/0035-failed-attempts.ts";
import type { Tables } from "./tables.ts";

export type Dialect = "sqlite" | "postgres";

/** Column types whose names differ between the two databases. */
export interface ColumnTypes {
  dialect: Dialect;
  time: ColumnDataType;
  flag: ColumnDataType;
  /** Primary key numbered by the database in insertion order. */
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
  "0008-model-calls": modelCalls,
  "0010-installation-and-crashes": installationAndCrashes,
  "0011-request-keys": requestKeys,
  "0014-sign-in": signIn,
  "0017-token-reservations": tokenReservations,
  "0020-first-sign-in": firstSignIn,
  "0022-thread-titles": threadTitles,
  "0023-review-and-replay": reviewAndReplay,
  "0024-second-factor": secondFactor,
  "0025-kept-classifications": keptClassifications,
  "0030-learned-papers": learnedPapers,
  "0031-agent-versions": agentVersions,
  "0032-sign-on": signOn,
  "0033-index-versions": indexVersions,
  "0034-state-changes": stateChanges,
  "0035-failed-attempts": failedAttempts,
};

const migrationTable = "schema_migrations";

function migrator(db: Kysely<Tables>, dialect: Dialect): Migrator {
  const bind = (up: (typeof all)[string]): Migration => ({ up: (db) => up(db as Kysely<never>, columnTypes[dialect]) });
  const migrations = Object.fromEntries(Object.entries(all).map(([name, up]) => [name, bind(up)]));
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: migrationTable,
    migrationLockTableName: "schema_migrations_lock",
  });
}

/**
 * Runs the missing migrations in one transaction, one process at a time. Rejects if the database
 * belongs to a newer version.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const { error } = await migrator(db, dialect).migrateToLatest();
  if (error) throw new Error("The database could not be migrated to the schema of this version.", { cause: error });
}

/** Returns whether the migrations of this version have run, and no others. */
export async function isCurrent(db: Kysely<Tables>, dialect: Dialect): Promise<boolean> {
  const migrations = await migrator(db, dialect).getMigrations();
  return migrations.every((migration) => migration.executedAt !== undefined);
}

/** Names of migrations in the order in which they ran. */
export type Migrations = readonly string[];

/** Returns the migrations that have run. */
export async function migrationsOf(db: Kysely<Tables>): Promise<Migrations> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(migrationTable)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Runs only these migrations on an empty database.
 * @throws Error if they are not the first ones of this version
 */
export async function migrateTo(db: Kysely<Tables>, dialect: Dialect, migrations: Migrations): Promise<void> {
  const last = migrations.at(-1);
  if (last === undefined || Object.keys(all).sort().slice(0, migrations.length).join() !== migrations.join())
    throw new Error("The dump was made by a version with migrations that this one does not have.");
  const { error } = await migrator(db, dialect).migrateTo(last);
  if (error) throw new Error(`The database could not be migrated to the schema of ${last}.`, { cause: error });
}
