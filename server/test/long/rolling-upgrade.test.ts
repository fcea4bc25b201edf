/**
 * A rolling upgrade, seen from the earlier version: its processes run on a schema that a newer
 * version has migrated. The newer version is simulated by its migrations, over PostgreSQL.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { onePage } from "../../src/reading/testing/make-pdf.ts";
import type { Db } from "../../src/records/records.ts";
import { clientOf, placeOver, settled, urlOf } from "../helpers/killed-service.ts";
import { run, start } from "../helpers/process.ts";

const codeOf = (i: number): string => `${8001 + 13 * i}`;
const paperOf = (i: number): Buffer =>
  Buffer.from(onePage({ text: `The access code of lighthouse number ${i} is ${codeOf(i)}.`, x: 60, y: 720, size: 11 }));

const recordMigration = (db: Db, name: string) =>
  sql`insert into schema_migrations (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(db);

/**
 * Migrates as a newer version does: in one transaction, while processes of the earlier version run.
 */
const expand = (db: Db) =>
  db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = 5000`.execute(transaction);
    await sql`alter table documents add column newer_text text`.execute(transaction);
    await sql`alter table agents add column newer_count integer not null default 0`.execute(transaction);
    await sql`alter table jobs add column newer_lane integer`.execute(transaction);
    await sql`create table newer_things (id text primary key, document_id text references documents (id) on delete cascade)`.execute(
      transaction,
    );
    await recordMigration(transaction, "9001-newer-things");
  });

test("processes of an earlier version keep running, and can be started, after a newer version has extended the schema", async () => {
  await using here = await placeOver("postgres");
  const settingsOf = (name: string) => ({
    ...here.settings,
    SHEAF_DATA_DIR: join(here.folder, name),
    SHEAF_KEYS_DIR: join(here.folder, "keys"),
    SHEAF_FILES_DIR: join(here.folder, "files"),
    SHEAF_READING_PROCESSES: "1",
  });
  await using first = start(["serve"], settingsOf("first"));
  const client = await clientOf(first);
  const { url, agent } = client;
  await using opened = here.open();
  const { db } = opened;
  const assertFound = async (at: string, i: number) => {
    const query = `What is the access code of lighthouse number ${i}?`;
    for (const deadline = performance.now() + 60_000; ; await sleep(100)) {
      const { status, body } = await client.send(at, "POST", `/v2/knowledge/${agent}`, { query });
      if (status === 200) return assert.match(JSON.stringify(body), new RegExp(codeOf(i)));
      // The second process builds its index first.
      assert.ok(status === 503 && performance.now() < deadline, JSON.stringify(body));
    }
  };

  let uploads = 0;
  const uploadOne = async (at = url) => {
    const i = uploads++;
    const { status, body } = await client.upload(at, `${i}.pdf`, paperOf(i));
    assert.equal(status, 202, JSON.stringify(body));
    return i;
  };
  const uploadUntil = async (signal: AbortSignal) => {
    while (!signal.aborted) await uploadOne();
  };
  const migrated = new AbortController();
  const uploading = uploadUntil(migrated.signal);
  await sleep(500);
  await expand(db);
  await sleep(500);
  migrated.abort();
  await uploading;
  const last = await uploadOne();
  const ready = await settled(() => client.list(url));
  assert.deepEqual([...new Set(ready.map(({ status }) => status))], ["ready"]);
  assert.equal(ready.length, uploads);
  await assertFound(url, last);

  // A job of a type that only the newer version knows is left to the newer version.
  await sql`insert into jobs (id, name, organization_id, payload, attempt, run_at, created_at)
    values ('newer', 'newer.thing', '', '{}', 0, now(), now())`.execute(db);
  await using second = start(["serve"], settingsOf("second"));
  const secondUrl = await urlOf(second);
  const late = await uploadOne(secondUrl);
  await settled(() => client.list(secondUrl));
  for (const at of [url, secondUrl]) await assertFound(at, late);
  const { rows } = await sql`select attempt, worker from jobs where id = 'newer'`.execute(db);
  assert.deepEqual(rows, [{ attempt: 0, worker: null }]);

  // The earlier version refuses commands that it could carry out only in part.
  const backup = await run(["backup", join(here.folder, "backup")], settingsOf("first"));
  assert.equal(backup.code, 1);
  assert.match(backup.stderr, /A newer version has migrated .* make the backup with that version/);
  const sweep = await run(["sweep", "--yes"], settingsOf("first"));
  assert.equal(sweep.code, 1);
  assert.match(sweep.stderr, /only that version can sweep/);

  await recordMigration(db, "9002-contract-old-things");
  const refused = await run(["serve"], settingsOf("third"));
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^sheaf: A newer version has migrated the database \(9002-contract-old-things\), and this version cannot run/m,
  );
});
