/**
 * Starts a PostgreSQL server for a single test file. The test may stop and restart it and end its
 * sessions, because no other test uses it.
 */
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";

const bin = globSync("/usr/lib/postgresql/*/bin").sort().at(-1);
const isRoot = process.getuid?.() === 0;
const works = bin !== undefined && (!isRoot || spawnSync("id", ["postgres"]).status === 0);

/**
 * Timeout for a command or a statement, in milliseconds. Without it, a hanging command would block
 * the test instead of failing it. Chosen by hand, 2026-11.
 */
const limitMs = 60_000;

/** Reason to skip the tests that need their own PostgreSQL server; false if these tests can run. */
export const noCluster = !works && process.env.REQUIRE_SERVICES === undefined && "PostgreSQL is not installed here";

export interface PostgresCluster extends AsyncDisposable {
  port: number;
  /**
   * Creates an empty database and returns its URL. If `port` is given, such as the port of a proxy,
   * the URL contains `port` instead of the server's port.
   */
  createDatabase(name: string, port?: number): Promise<string>;
  /**
   * Ends all sessions of a database, or about the given share (0–1) of them. Returns the number of
   * ended sessions.
   */
  terminate(database: string, share?: number): Promise<number>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startCluster(): Promise<PostgresCluster> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-postgres-"));
  await chmod(folder, 0o777);
  const data = join(folder, "data");
  const port = await freePort();
  /**
   * Runs a program. If this process runs as root, the program runs as the user `postgres`, because
   * PostgreSQL refuses to run as root.
   */
  const run = async (program: string, ...args: string[]) => {
    const command = [join(bin ?? "", program), ...args];
    const [file = "", ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    await promisify(execFile)(file, rest, { cwd: folder, timeout: limitMs });
  };
  const server = ["-D", data, "-w", "-l", join(folder, "log")];
  const start = () => run("pg_ctl", ...server, "-o", `-h 127.0.0.1 -p ${port} -k '' -c fsync=off`, "start");
  const stop = () => run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop");
  await run("initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync");
  await start();
  const query = async (text: string, parameters: unknown[] = []) => {
    const client = new Client({
      connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
      connectionTimeoutMillis: limitMs,
      query_timeout: limitMs,
    });
    await client.connect();
    try {
      return await client.query(text, parameters);
    } finally {
      await client.end();
    }
  };
  return {
    port,
    createDatabase: async (name, at = port) => {
      await query(`create database ${name}`);
      return `postgres://postgres@127.0.0.1:${at}/${name}`;
    },
    terminate: async (database, share = 1) => {
      const { rows } = await query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and random() < $2",
        [database, share],
      );
      return rows.length;
    },
    stop,
    start,
    [Symbol.asyncDispose]: async () => {
      await stop().catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
