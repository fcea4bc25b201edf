/** Kysely over `node:sqlite`: durable settings and immediate transactions. */
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
} from "kysely";
import type { Tables } from "./tables.ts";
import { unavailableSqlite } from "./unavailable.ts";

const pragmas = [
  "journal_mode = WAL",
  // The default in WAL mode leaves commits unsynced: 8 fsyncs for 500 commits, against 509 with FULL.
  "synchronous = FULL",
  "foreign_keys = ON",
  "journal_size_limit = 67108864",
];

/** While another process holds the lock, such as a command beside the service, whoever wants it tries again so often and so long. */
const busyEveryMs = 10;
const busyTimeoutMs = 5_000;
/** What SQLite answers then. */
const sqliteBusy = 5;

export function openSqlite(path: string, log?: Logger): Kysely<Tables> {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  // SQLite itself would wait in the middle of a call, and the whole process with it.
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

/** A transaction takes the write lock when it begins: one that read first and wrote later could fail as busy halfway. */
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
      // With a full or failing disk SQLite has rolled back itself. What went wrong before is the error to tell.
      if (!(error instanceof Error && error.message.includes("no transaction is active"))) throw error;
    }
  }
}

/** Waits for the lock of another process while everything else goes on. */
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

/** SQLite's DDL is transactional, so a migration that is killed halfway leaves nothing behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function adapt(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...parameters.map(bindable)),
        run: (parameters) => statement.run(...parameters.map(bindable)),
        iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
      };
    },
  };
}

const bindable = (value: unknown): SQLInputValue =>
  typeof value === "boolean" ? Number(value) : (value as SQLInputValue);
