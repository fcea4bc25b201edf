/** Migrations and durability, on both databases. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { tryLock } from "../src/lib/file-lock.ts";
import { openRecords, type RecordsSettings } from "../src/records/records.ts";
import { createDatabase, describeOverDatabases } from "./helpers/databases.ts";
import { temporaryFolder } from "./helpers/process.ts";

const child = join(import.meta.dirname, "helpers/migrate-child.ts");

describeOverDatabases("records", (dialect) => {
  const place = async () => {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder());
    const database = await createDatabase(dialect);
    stack.defer(() => database.drop());
    const settings: RecordsSettings =
      database.url === undefined
        ? { dialect: "sqlite", path: join(folder.path, "test.db") }
        : { dialect: "postgres", url: database.url, maxConnections: 4, onIdleError: () => {} };
    return { settings, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  };

  test("a migration runs once, and parallel starts agree", async () => {
    await using here = await place();
    const several = [openRecords(here.settings), openRecords(here.settings)];
    // SQLite has one owner, so only PostgreSQL sees two processes migrate at once.
    if (dialect === "postgres") await Promise.all(several.map((records) => records.migrate()));
    else for (const records of several) await records.migrate();
    for (const records of several) {
      assert.equal(await records.isCurrent(), true);
      await records.close();
    }
  });

  test("after a kill at any moment of a migration, the next start completes it", async () => {
    for (const delayMs of [0, 3, 6, 10, 15, 25, 40]) {
      await using here = await place();
      const process_ = fork(child, [JSON.stringify(here.settings)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      const exited = once(process_, "exit");
      await Promise.race([once(process_, "message"), exited]);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      process_.kill("SIGKILL");
      assert.deepEqual(await exited, [null, "SIGKILL"]);
      const records = openRecords(here.settings);
      await records.migrate();
      assert.equal(await records.isCurrent(), true);
      await records.close();
    }
  });

  test("times, flags and large numbers come back the same", async () => {
    await using here = await place();
    const records = openRecords(here.settings);
    await records.migrate();
    const at = "2026-11-21T00:00:00.001Z";
    const large = 2 ** 40 + 1;
    await records.db
      .insertInto("organizations")
      .values({
        id: "o",
        name: "n",
        slug: "s",
        api_enabled: false,
        created_at: at,
        updated_at: at,
      })
      .execute();
    await records.db
      .insertInto("token_usage")
      .values({ organization_id: "o", channel: "api", tokens: large, month: "2026-11" })
      .execute();
    const { tokens } = await records.db.selectFrom("token_usage").select("tokens").executeTakeFirstOrThrow();
    const row = await records.db.selectFrom("organizations").selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([row.created_at, Boolean(row.api_enabled), tokens], [at, false, large]);
    await records.close();
  });
});

test("SQLite commits are synced", async () => {
  await using folder = await temporaryFolder();
  const records = openRecords({ dialect: "sqlite", path: join(folder.path, "test.db") });
  const { rows } = await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(records.db);
  const journal = await sql<{ journal_mode: string }>`PRAGMA journal_mode`.execute(records.db);
  assert.deepEqual([rows[0]?.synchronous, journal.rows[0]?.journal_mode], [2, "wal"]);
  await records.close();
});

test("the lock of a folder is exclusive and can be acquired again", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "lock");
  const first = tryLock(path);
  assert.ok(first);
  assert.equal(tryLock(path), undefined);
  first.release();
  const second = tryLock(path);
  assert.ok(second);
  second.release();
});
