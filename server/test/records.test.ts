/** Migrations and durability, on both databases. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { sql, type TableMetadata } from "kysely";
import { tryLock } from "../src/lib/file-lock.ts";
import { migrateTo, migrationsOf, newerMigrations } from "../src/records/migrate.ts";
import { type Db, openRecords, type RecordsSettings } from "../src/records/records.ts";
import { createDatabase, describeOverDatabases } from "./helpers/databases.ts";
import { temporaryFolder } from "./helpers/process.ts";

/**
 * Returns the tables and columns whose change would break earlier versions: those that were removed
 * or have another type, and columns that an insert must now fill.
 */
function narrowed(before: readonly TableMetadata[], after: readonly TableMetadata[]): string[] {
  const found: string[] = [];
  for (const { name, columns } of before) {
    const now = after.find((table) => table.name === name);
    if (now === undefined) found.push(name);
    else {
      const left = new Map(now.columns.map((column) => [column.name, column]));
      for (const column of columns) {
        const { dataType, isNullable } = left.get(column.name) ?? {};
        if (dataType !== column.dataType || (column.isNullable && !isNullable)) found.push(`${name}.${column.name}`);
        left.delete(column.name);
      }
      for (const column of left.values())
        if (!column.isNullable && !column.hasDefaultValue) found.push(`${name}.${column.name}`);
    }
  }
  return found.sort();
}

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

  test("a migration runs once, even if several processes start at the same time", async () => {
    await using here = await place();
    const several = [openRecords(here.settings), openRecords(here.settings)];
    // Only one process can open a SQLite file, so only PostgreSQL is migrated by several at once.
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

  /** Records migrations of a newer version as already run. */
  const recordMigrations = async (db: Db, ...names: string[]) => {
    for (const name of names)
      await sql`insert into schema_migrations (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
        db,
      );
  };

  test("a version can run on the schema of a newer version unless that version has a contracting migration", async () => {
    await using here = await place();
    const records = openRecords(here.settings);
    await records.migrate();
    await sql`alter table organizations add column newer text`.execute(records.db);
    await recordMigrations(records.db, "9001-newer-column");
    await records.migrate();
    assert.equal(await records.isCurrent(), true);
    assert.deepEqual(await newerMigrations(records.db), ["9001-newer-column"]);
    await recordMigrations(records.db, "9002-contract-old-column", "9003-more");
    assert.equal(await records.isCurrent(), false);
    await assert.rejects(records.migrate(), /A newer version has migrated the database \(9002-contract-old-column\)/);
    await records.close();
  });

  test("migrations from 0035 on break nothing that earlier versions use, unless they are contracting", async () => {
    await using here = await place();
    const records = openRecords(here.settings);
    await records.migrate();
    const names = await migrationsOf(records.db);
    await records.close();
    await using there = await place();
    const { db, close } = openRecords(there.settings);
    let ran = names.filter((name) => name < "0035");
    await migrateTo(db, dialect, ran);
    for (const name of names.filter((each) => each >= "0035" && !each.includes("-contract-"))) {
      const before = await db.introspection.getTables();
      ran = names.slice(0, names.indexOf(name) + 1);
      await migrateTo(db, dialect, ran);
      assert.deepEqual(narrowed(before, await db.introspection.getTables()), [], name);
    }
    const before = await db.introspection.getTables();
    await sql`alter table organizations drop column api_enabled`.execute(db);
    await sql`alter table organizations rename column slug to slogan`.execute(db);
    await sql`drop table idempotency_keys`.execute(db);
    assert.deepEqual(narrowed(before, await db.introspection.getTables()), [
      "idempotency_keys",
      "organizations.api_enabled",
      "organizations.slogan",
      "organizations.slug",
    ]);
    await close();
  });

  if (dialect === "postgres")
    test("a migration that cannot lock a table fails soon, so that other statements on it do not wait for long", async () => {
      await using here = await place();
      const records = openRecords(here.settings);
      await records.migrate();
      const names = await migrationsOf(records.db);
      await records.close();
      await using there = await place();
      const { db, migrate, isCurrent, close } = openRecords(there.settings);
      await migrateTo(
        db,
        dialect,
        names.filter((name) => name < "0033"),
      );
      // Takes the same kind of lock that a backup holds until it ends.
      await db.transaction().execute(async (transaction) => {
        await sql`lock table agents in access share mode`.execute(transaction);
        const failed = assert.rejects(migrate(), /could not be migrated .*lock timeout/);
        const startedAt = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await sql`select 1 from agents`.execute(db);
        await failed;
        assert.ok(performance.now() - startedAt < 9_000);
      });
      assert.equal(await isCurrent(), false);
      await migrate();
      assert.equal(await isCurrent(), true);
      await close();
    });

  test("threads of an earlier version get their first question as title, and the time of their last message", async () => {
    await using here = await place();
    const records = openRecords(here.settings);
    await records.migrate();
    const names = await migrationsOf(records.db);
    await records.close();
    const before = names.filter((name) => name < "0022");
    await using there = await place();
    const { db, migrate, close } = openRecords(there.settings);
    await migrateTo(db, dialect, before);
    const at = (day: number) => `2026-11-0${day}T00:00:00.001Z`;
    await sql`insert into organizations (id, name, slug, api_enabled, created_at, updated_at)
      values ('o', 'Old', 'old', ${dialect === "sqlite" ? 1 : true}, ${at(1)}, ${at(1)})`.execute(db);
    const messages: Record<string, [role: string, content: object][]> = {
      asked: [
        ["user", { query: "What \n\u0000is this?", instructions: [] }],
        ["assistant", { answer: "It is." }],
        ["user", { query: "And now?" }],
      ],
      long: [["user", { query: "word ".repeat(100) }]],
      extraction: [["user", { filename: "a.pdf", params: [] }]],
      empty: [],
    };
    for (const [id, said] of Object.entries(messages)) {
      await sql`insert into threads (id, organization_id, channel, created_at)
        values (${id}, 'o', 'api', ${at(1)})`.execute(db);
      for (const [index, [role, content]] of said.entries())
        await sql`insert into messages (id, thread_id, role, content, created_at)
          values (${id + index}, ${id}, ${role}, ${JSON.stringify(content)}, ${at(2 + index)})`.execute(db);
    }
    // More threads than the migration processes in one batch.
    for (let number = 0; number < 600; number++)
      await sql`insert into threads (id, organization_id, channel, created_at)
        values (${`more ${number}`}, 'o', 'api', ${at(1)})`.execute(db);
    await sql`insert into threads (id, organization_id, channel, created_at)
      values ('zuletzt', 'o', 'api', ${at(1)})`.execute(db);
    await sql`insert into messages (id, thread_id, role, content, created_at)
      values ('z', 'zuletzt', 'user', '{"query":"Last?"}', ${at(1)})`.execute(db);
    await migrate();
    const rows = await db.selectFrom("threads").selectAll().where("id", "not like", "more %").orderBy("id").execute();
    assert.deepEqual(
      rows.map(({ id, title, updated_at }) => [id, title, updated_at]),
      [
        ["asked", "What is this?", at(4)],
        ["empty", null, at(1)],
        ["extraction", null, at(2)],
        ["long", `${"word ".repeat(15)}word…`, at(2)],
        ["zuletzt", "Last?", at(1)],
      ],
    );
    await close();
  });

  test("times, flags and large numbers are read as they were written", async () => {
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

test("SQLite syncs each commit to the disk", async () => {
  await using folder = await temporaryFolder();
  const records = openRecords({ dialect: "sqlite", path: join(folder.path, "test.db") });
  const { rows } = await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(records.db);
  const journal = await sql<{ journal_mode: string }>`PRAGMA journal_mode`.execute(records.db);
  assert.deepEqual([rows[0]?.synchronous, journal.rows[0]?.journal_mode], [2, "wal"]);
  await records.close();
});

test("only one process can hold the lock of a folder, and another can acquire it after its release", async () => {
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
