/**
 * Databases for feature tests. The environment variable `TEST_DATABASES` selects SQLite, PostgreSQL
 * or both, such as `sqlite,postgres`.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe } from "node:test";
import { Client } from "pg";
import { type Db, openRecords } from "../../src/records/records.ts";
import { temporaryFolder } from "./process.ts";

/**
 * URL of a server on which databases may be created and dropped, such as
 * `postgres://postgres@localhost/postgres`.
 */
const postgresUrl = process.env.TEST_POSTGRES_URL;

export interface TestDatabase {
  /** Value of DATABASE_URL; undefined for SQLite in the data folder. */
  url: string | undefined;
  drop(): Promise<void>;
}

export type Dialect = "sqlite" | "postgres";

const chosen = new Set((process.env.TEST_DATABASES ?? "sqlite,postgres").split(","));

/**
 * Runs a suite over each database. If there is no PostgreSQL server, PostgreSQL is skipped unless
 * `REQUIRE_SERVICES` is set.
 */
export function describeOverDatabases(name: string, suite: (dialect: Dialect) => void): void {
  if (chosen.has("sqlite")) describe(`${name} over SQLite`, { concurrency: false }, () => suite("sqlite"));
  if (!chosen.has("postgres")) return;
  const missing = postgresUrl === undefined && process.env.REQUIRE_SERVICES === undefined;
  const skip = missing && "TEST_POSTGRES_URL is not set";
  describe(`${name} over PostgreSQL`, { concurrency: false, skip }, () => suite("postgres"));
}

/** Runs a suite over both databases concurrently, for suites that mostly wait. */
export function describeSideBySide(name: string, suite: (dialect: Dialect) => void): void {
  describe(name, { concurrency: 2 }, () => describeOverDatabases(name, suite));
}

export async function createDatabase(dialect: Dialect): Promise<TestDatabase> {
  if (dialect === "sqlite") return { url: undefined, drop: async () => {} };
  if (postgresUrl === undefined) throw new Error("TEST_POSTGRES_URL is not set");
  const name = `sheaf_test_${randomBytes(6).toString("hex")}`;
  await administer(`create database ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) };
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a migrated, empty database, which is dropped on disposal. */
export async function openEmptyDatabase(dialect: Dialect): Promise<AsyncDisposable & { db: Db }> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const database = await createDatabase(dialect);
  stack.defer(() => database.drop());
  const records = openRecords(
    database.url === undefined
      ? { dialect: "sqlite", path: join(folder.path, "test.db") }
      : { dialect: "postgres", url: database.url, maxConnections: 8, onIdleError: () => {} },
  );
  stack.defer(() => records.close());
  await records.migrate();
  const resources = stack.move();
  return { db: records.db, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
