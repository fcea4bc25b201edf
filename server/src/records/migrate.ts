/**
 * Migrates a database to the schema of this version. SQLite and PostgreSQL run the same migrations.
 *
 * During a rolling upgrade, processes of an earlier version run beside processes of a newer
 * version, and both use the newer schema. So an ordinary migration only adds things that earlier
 * versions do not use (expand). A later migration removes what no version uses any more (contract).
 * The name of such a migration begins with `contract` after its number. Once it has run, earlier
 * versions refuse to start (decision 80).
 */
import { type ColumnDataType, type Kysely, type RawBuilder, sql } from "kysely";
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
import { scim } from "./migrations/0036-scim.ts";
import { recalledValues } from "./migrations/0037-recalled-values.ts";
import { changesForGroups } from "./migrations/0038-changes-for-groups.ts";
import type { Tables } from "./tables.ts";

export type Dialect = "sqlite" | "postgres";

/** Column types whose names differ between the two databases. */
export interface ColumnTypes {
  dialect: Dialect;
  time: ColumnDataType;
  flag: ColumnDataType;
  /** Primary key that the database numbers in the order of insertion. */
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
  "0036-scim": scim,
  "0037-recalled-values": recalledValues,
  "0038-changes-for-groups": changesForGroups,
};

const migrationTable = "schema_migrations";

/**
 * Maximum time that a migration waits for one lock in PostgreSQL, in milliseconds. Meanwhile,
 * statements of running processes on the same table queue behind it. This time is half of the lock
 * timeout of these processes (10 s), so that their statements do not fail. Chosen by hand, 2026-11.
 */
const lockTimeoutMs = 5_000;

const isContracting = (name: string): boolean => /^\d+-contract-/.test(name);

/**
 * @param newer names of migrations that only a newer version knows. The migrator treats them as
 * known, because they have already run.
 */
function migrator(db: Kysely<Tables>, dialect: Dialect, newer: Migrations = []): Migrator {
  const bind = (up: (typeof all)[string]): Migration => ({
    up: async (db) => {
      if (dialect === "postgres") await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(db);
      await up(db as Kysely<never>, columnTypes[dialect]);
    },
  });
  const known = Object.entries(all).map(([name, up]) => [name, bind(up)] as const);
  const passed = newer.map((name) => [name, { up: async () => {} }] as const);
  return new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries([...known, ...passed]) },
    migrationTableName: migrationTable,
    migrationLockTableName: "schema_migrations_lock",
  });
}

/**
 * Runs the missing migrations in one transaction, one process at a time. If a newer version has
 * migrated the database, this version uses the newer schema.
 * @throws Error if this version cannot run on the newer schema, or a migration fails
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const names = await executed(db, dialect);
  const newer = newerAmong(names);
  const contracting = newer.find(isContracting);
  if (contracting !== undefined)
    throw new Error(
      `A newer version has migrated the database (${contracting}), and this version cannot run on its schema. Install the newer version, or restore a backup of this version.`,
    );
  if (hasAll(names)) return;
  const { error } = await migrator(db, dialect, newer).migrateToLatest();
  if (!error) return;
  // A newer version that was starting at the same time may have migrated the database first.
  if ((await executed(db, dialect)).length > names.length) return migrate(db, dialect);
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`The database could not be migrated to the schema of this version: ${reason}`, { cause: error });
}

/**
 * Returns whether this version can run on the current schema of the database, without migrating it.
 */
export async function isCurrent(db: Kysely<Tables>, dialect: Dialect): Promise<boolean> {
  const names = await executed(db, dialect);
  return hasAll(names) && !newerAmong(names).some(isContracting);
}

/**
 * Returns the migrations that a newer version has run. If there are any, the database and the
 * stored files may contain data that this version does not understand.
 */
export const newerMigrations = async (db: Kysely<Tables>): Promise<Migrations> => newerAmong(await migrationsOf(db));

const hasAll = (names: Migrations): boolean => Object.keys(all).every((name) => names.includes(name));

/** Returns the names that follow the last migration of this version. */
function newerAmong(names: Migrations): string[] {
  const last = Object.keys(all).sort().at(-1) ?? "";
  return names.filter((name) => name > last);
}

const findTable: Record<Dialect, RawBuilder<unknown>> = {
  sqlite: sql`select 1 from sqlite_schema where name = ${migrationTable}`,
  postgres: sql`select 1 where to_regclass(${migrationTable}) is not null`,
};

/** Returns the migrations that have run. A new database has none. */
async function executed(db: Kysely<Tables>, dialect: Dialect): Promise<Migrations> {
  const { rows } = await findTable[dialect].execute(db);
  return rows.length === 0 ? [] : migrationsOf(db);
}

/** Names of migrations in the order in which they ran. */
export type Migrations = readonly string[];

/** Returns the migrations that have run. */
export async function migrationsOf(db: Kysely<Tables>): Promise<Migrations> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(migrationTable)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Runs exactly the given migrations on an empty database.
 * @throws Error unless this version's list of migrations begins with the given migrations
 */
export async function migrateTo(db: Kysely<Tables>, dialect: Dialect, migrations: Migrations): Promise<void> {
  const last = migrations.at(-1);
  if (last === undefined || Object.keys(all).sort().slice(0, migrations.length).join() !== migrations.join())
    throw new Error("The dump was made by a version of Sheaf with migrations that this version does not have.");
  const { error } = await migrator(db, dialect).migrateTo(last);
  if (error) throw new Error(`The database could not be migrated to the schema of ${last}.`, { cause: error });
}
