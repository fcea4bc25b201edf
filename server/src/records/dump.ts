/**
 * Dumps the rows of a whole database from one snapshot, and loads them into an empty database. A
 * dump of SQLite can be loaded into PostgreSQL, and vice versa.
 */
import { type Kysely, sql } from "kysely";
import { type Dialect, type Migrations, migrateTo, migrationsOf } from "./migrate.ts";
import type { Db, Records } from "./records.ts";

/**
 * A row whose values can be written as JSON. A flag read from SQLite is 0 or 1; a flag read from
 * PostgreSQL is a boolean.
 */
export type DumpedRow = Record<string, string | number | boolean | null>;

export interface Snapshot {
  /** Migrations that have run, in order. */
  migrations: Migrations;
  /** All tables except those that record which migrations have run. */
  tables: readonly string[];
  /** Streams the rows of one table. Tables must be read one after the other. */
  rows(table: string): AsyncIterable<DumpedRow>;
}

const begin: Record<Dialect, string> = {
  sqlite: "begin",
  postgres: "begin transaction isolation level repeatable read, read only",
};

/** Runs `use` on a consistent snapshot of the database. Does not block writers. */
export async function withSnapshot<T>(
  { db, dialect }: Pick<Records, "db" | "dialect">,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql.raw(begin[dialect]).execute(connection);
    try {
      const migrations = await migrationsOf(connection);
      const tables = await tablesOf(connection, dialect);
      return await use({ migrations, tables, rows: (table) => rowsOf[dialect](connection, table) });
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}

const listTables: Record<Dialect, string> = {
  sqlite: "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
  postgres: "select tablename as name from pg_tables where schemaname = current_schema()",
};

async function tablesOf(db: Db, dialect: Dialect): Promise<string[]> {
  const { rows } = await sql.raw<{ name: string }>(listTables[dialect]).execute(db);
  return rows
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("schema_migrations"))
    .sort();
}

/** Returns whether the database has no tables. */
export const isEmpty = async ({ db, dialect }: Pick<Records, "db" | "dialect">): Promise<boolean> =>
  (await sql.raw(listTables[dialect]).execute(db)).rows.length === 0;

const rowsAtOnce = 500;

const rowsOf: Record<Dialect, (connection: Db, table: string) => AsyncIterable<DumpedRow>> = {
  sqlite: (connection, table) =>
    (connection as unknown as Kysely<Record<string, DumpedRow>>).selectFrom(table).selectAll().stream(),
  postgres: async function* (connection, table) {
    await sql`declare dump no scroll cursor for select * from ${sql.table(table)}`.execute(connection);
    for (;;) {
      const { rows } = await sql.raw<DumpedRow>(`fetch forward ${rowsAtOnce} from dump`).execute(connection);
      yield* rows;
      if (rows.length < rowsAtOnce) break;
    }
    await sql`close dump`.execute(connection);
  },
};

/**
 * Loads a dump into an empty database. First migrates the database to the schema of the dump. Then
 * inserts all rows and runs `amend`, in one transaction. Finally migrates the database to the
 * schema of this version.
 * @throws Error if this version does not include all migrations of the dump
 */
export async function loadDump(
  records: Pick<Records, "db" | "dialect" | "migrate">,
  { migrations, tables, rows }: Snapshot,
  amend: (transaction: Db) => Promise<void>,
): Promise<void> {
  const { db, dialect } = records;
  await migrateTo(db, dialect, migrations);
  await db.transaction().execute(async (transaction) => {
    if (dialect === "sqlite") await sql`pragma defer_foreign_keys = on`.execute(transaction);
    for (const table of await inOrderOfReferences(transaction, dialect, tables))
      await loadTable(transaction, dialect, table, rows(table));
    if (dialect === "postgres") await advanceSequences(transaction);
    await amend(transaction);
  });
  await records.migrate();
}

/**
 * Returns the tables in the order in which to insert their rows: referenced tables first. With
 * SQLite, any order works, because it checks references at the end of the transaction.
 */
async function inOrderOfReferences(db: Db, dialect: Dialect, tables: readonly string[]): Promise<string[]> {
  const there = new Set(await tablesOf(db, dialect));
  for (const table of tables) if (!there.has(table)) throw new Error(`This version has no table ${table}.`);
  if (dialect === "sqlite") return [...tables];
  const { rows: references } = await sql<{ of: string; to: string }>`
    select source.relname as of, target.relname as to
    from pg_constraint join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and conrelid <> confrelid and connamespace = current_schema()::regnamespace`.execute(db);
  const ordered = new Set<string>();
  const add = (table: string): void => {
    for (const { of, to } of references) if (of === table && !ordered.has(to)) add(to);
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered].filter((table) => tables.includes(table));
}

/** Maximum number of parameters of a statement, below the limits of both databases. */
const maxParameters = 30_000;

async function loadTable(db: Db, dialect: Dialect, table: string, rows: AsyncIterable<DumpedRow>): Promise<void> {
  const flags = dialect === "postgres" ? await flagsOf(db, table) : [];
  let batch: DumpedRow[] = [];
  const write = async () => {
    if (batch.length > 0)
      await db
        .insertInto(table as never)
        .values(batch as never)
        .execute();
    batch = [];
  };
  for await (const row of rows) {
    for (const flag of flags) if (row[flag] !== null) row[flag] = Boolean(row[flag]);
    batch.push(row);
    if (batch.length >= rowsAtOnce || batch.length * Object.keys(row).length >= maxParameters) await write();
  }
  await write();
}

async function flagsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and data_type = 'boolean'`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Advances the sequences of PostgreSQL past the numbers of the inserted rows. SQLite does this
 * automatically.
 */
async function advanceSequences(db: Db): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and column_default like 'nextval(%'`.execute(db);
  for (const { table, column } of rows)
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), max(${sql.ref(column)}))
      from ${sql.table(table)} having max(${sql.ref(column)}) is not null`.execute(db);
}
