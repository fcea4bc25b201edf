/**
 * Opens Kysely over `node:sqlite`. Every commit is synced to disk, and transactions take the write
 * lock when they begin.
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type Logger,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { RecentMap } from "../lib/recent-map.ts";
import type { Tables } from "./tables.ts";
import { unavailableSqlite } from "./unavailable.ts";

const pragmas = [
  "journal_mode = WAL",
  // With the default value, commits are not synced in WAL mode: 500 commits cause 8 calls of fsync,
  // compared with 509 for FULL.
  "synchronous = FULL",
  "foreign_keys = ON",
  "journal_size_limit = 67108864",
];

/** Retry interval, in milliseconds, while another process (such as a command) holds the lock. */
const busyEveryMs = 10;
/** Maximum duration of retries while another process holds the lock, in milliseconds. */
const busyTimeoutMs = 5_000;
/** Result code with which SQLite reports that the lock is held. */
const sqliteBusy = 5;

export function openSqlite(path: string, log?: Logger): Kysely<Tables> {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  // If SQLite waited for the lock itself, its call would block the whole process.
  database.exec("PRAGMA busy_timeout = 0");
  return new Kysely<Tables>({ dialect: new NodeSqliteDialect({ database: adapt(database) }), ...(log && { log }) });
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }
  override createDriver(): Driver {
    return new ImmediateDriver(this.#config);
  }
  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

/**
 * Makes transactions take the write lock when they begin. Otherwise a transaction that first reads
 * and then writes could fail at its first write, because another transaction holds the lock.
 */
class ImmediateDriver extends SqliteDriver {
  #patient: DatabaseConnection | undefined;
  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#patient ??= patient(await super.acquireConnection());
    return this.#patient;
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      // If the disk is full or failing, SQLite has already rolled back. The earlier error is the
      // one to report.
      if (!(error instanceof Error && error.message.includes("no transaction is active"))) throw error;
    }
  }
}

/**
 * Returns a connection that waits for the lock of another process without blocking the event loop.
 */
const patient = (connection: DatabaseConnection): DatabaseConnection => ({
  executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    for (const deadline = performance.now() + busyTimeoutMs; ; await setTimeout(busyEveryMs)) {
      try {
        return await connection.executeQuery<Row>(query);
      } catch (error) {
        const code = (error as { errcode?: number }).errcode ?? 0;
        if ((code & 0xff) !== sqliteBusy || performance.now() >= deadline) throw unavailableSqlite(error);
      }
    }
  },
  streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
});

/** DDL is transactional in SQLite, so an interrupted migration changes nothing. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Maximum number of prepared statements kept. The service uses about 400. */
const maxStatements = 1_000;

/** Keeps prepared statements, because preparing one takes longer than running it. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new RecentMap<string, SqliteStatement>(maxStatements);
  const prepare = (sql: string): SqliteStatement => {
    const statement = database.prepare(sql);
    const prepared: SqliteStatement = {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...parameters.map(bindable)),
      run: (parameters) => statement.run(...parameters.map(bindable)),
      // A statement has one cursor, so two concurrent loops over the same query need two
      // statements.
      iterate: (parameters) => database.prepare(sql).iterate(...parameters.map(bindable)),
    };
    statements.set(sql, prepared);
    return prepared;
  };
  return { close: () => database.close(), prepare: (sql) => statements.get(sql) ?? prepare(sql) };
}

const bindable = (value: unknown): SQLInputValue =>
  typeof value === "boolean" ? Number(value) : (value as SQLInputValue);
