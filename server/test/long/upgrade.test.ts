/**
 * Opens and uses data folders of earlier versions, and backups of every format. The fixtures were
 * made with `scripts/make-upgrade-fixture.ts` and `sheaf backup` and are never regenerated.
 * `TEST_KILLS` sets the number of kills.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startService } from "../../src/compose/service.ts";
import { readConfig } from "../../src/config.ts";
import { openCorpus } from "../../src/corpus.ts";
import { checkCorpus } from "../../src/features/documents/corpus-check.ts";
import { getLimits } from "../../src/features/plans/plans.service.ts";
import { findReceiver } from "../../src/features/webhooks/webhooks.service.ts";
import { openInstallation } from "../../src/installation.ts";
import { openKeys } from "../../src/lib/keys.ts";
import { openLog } from "../../src/lib/log.ts";
import { loadDump, withSnapshot } from "../../src/records/dump.ts";
import { migrationsOf } from "../../src/records/migrate.ts";
import { backUp, reindex, restore } from "../helpers/backups.ts";
import { type Dialect, describeOverDatabases } from "../helpers/databases.ts";
import { type ListedDocument, type Place, placeOver, settled } from "../helpers/killed-service.ts";
import { start } from "../helpers/process.ts";
import { everyRow } from "../helpers/stored-rows.ts";

type Expected = Record<
  | "clientId"
  | "clientSecret"
  | "extractor"
  | "corpus"
  | "ready"
  | "broken"
  | "pending"
  | "thread"
  | "webhookSecret"
  | "limited",
  string
>;

const fixtures = join(import.meta.dirname, "../fixtures/upgrade");

const expectedOf = async (name: string): Promise<Expected> =>
  JSON.parse(await readFile(join(fixtures, name, "expected.json"), "utf8"));

/**
 * Unpacks an archive. The unpacked files belong to the current user, like those that this version
 * creates.
 */
async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  execFileSync("tar", ["--no-same-owner", "-xzf", join(fixtures, archive), "-C", folder]);
}

const event = "document.ingestion_completed";

/**
 * Starts a service on the data, uses the data as a client does, and checks that everything is as
 * expected.
 */
async function use(place: Place, expected: Expected): Promise<void> {
  const config = readConfig(place.settings);
  const log = openLog("silent");
  const service = await startService(config, log);
  try {
    assert.equal(service.firstCredential, undefined);
    const { clientId, clientSecret, corpus } = expected;
    const credentials = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    const { access_token } = (await (await fetch(`${service.url}/v2/token?${credentials}`)).json()) as {
      access_token: string;
    };
    const send = async (method: string, path: string, body?: object) => {
      const headers = { "x-api-key": access_token, "content-type": "application/json" };
      const answer = await fetch(service.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
      // biome-ignore lint/suspicious/noExplicitAny: tests read any member of a response
      return (await answer.json()) as any;
    };
    const list = async (): Promise<ListedDocument[]> => (await send("GET", `/v2/agents/${corpus}/documents`)).data;
    const documents = await settled(list);
    const statuses = Object.fromEntries(documents.map(({ reference, status }) => [reference, status]));
    const { ready, broken, pending, thread } = expected;
    assert.deepEqual(statuses, { [ready]: "ready", [broken]: "error", [pending]: "ready" });
    const ask = { query: "When was the lighthouse of Westerhever built?", thread_id: thread };
    assert.match((await send("POST", `/v2/knowledge/${corpus}`, ask)).data.answer, /1906/);
    const threads = (await send("GET", `/v2/agents/${corpus}/threads`)).data;
    const asked = threads.find(({ thread_id }: { thread_id: string }) => thread_id === thread);
    assert.match(asked.title, /\w/);
    const { turns } = (await send("GET", `/v2/agents/${corpus}/threads/${thread}`)).data;
    assert.match(turns.at(-1).answer, /1906/);
    assert.ok(turns.length > 1);
    const file = (await readFile(join(import.meta.dirname, "../../../examples/invoice.pdf"))).toString("base64");
    const extracted = await send("POST", `/v2/extractor/${expected.extractor}`, { filename: "a.pdf", file });
    assert.equal(typeof extracted.data[0].total, "number");
    const again = await send("PUT", `/v2/organization/webhooks/${event}`, { url: "https://hooks.example.invalid/" });
    assert.equal(again.data.secret, undefined);
    assert.ok((await send("GET", "/v2/organization/audit?limit=5")).data.length > 0);

    await using records = place.open();
    const { db } = records;
    const keys = await openKeys(config.keysDir);
    const { organization_id: organizationId } = await db
      .selectFrom("webhooks")
      .select("organization_id")
      .executeTakeFirstOrThrow();
    const receiver = await findReceiver({ db, keys }, { organizationId }, event);
    assert.equal(receiver?.secret, expected.webhookSecret);
    const limits = await getLimits(db, { organizationId: expected.limited });
    assert.deepEqual([limits.max_agents, limits.max_upload_mb, limits.max_documents_per_agent], [3, 5, null]);
    const opened = await openCorpus(config, log, db);
    const { problems } = await checkCorpus({ db, ...opened }, { running: true });
    await opened[Symbol.asyncDispose]();
    assert.deepEqual(problems, []);
  } finally {
    await service.close();
  }
}

test("opens a data folder of a version that had no sessions, plans or audit log", async () => {
  await using place = await placeOver("sqlite");
  await unpack("schema-4/data.tar.gz", place.data);
  await reindex(place);
  await use(place, await expectedOf("schema-4"));
});

describeOverDatabases("a backup", (dialect) => {
  test("of an earlier version's data folder can be made and restored, and does not change that folder", async () => {
    await using old = await placeOver("sqlite");
    await using place = await placeOver(dialect);
    await unpack("schema-4/data.tar.gz", old.data);
    const backup = join(old.folder, "backup");
    await backUp(old, backup);
    const { migrations } = JSON.parse(await readFile(join(backup, "manifest.json"), "utf8"));
    assert.equal(migrations.at(-1), "0004-idempotency");
    await assert.rejects(stat(join(old.data, "sheaf.lock")));
    await restore(backup, place);
    await use(place, await expectedOf("schema-4"));
  });

  test("in the first backup format can be restored", async () => {
    await using place = await placeOver(dialect);
    const backup = join(place.folder, "backup");
    await unpack("backup-format-1/backup.tar.gz", backup);
    await restore(backup, place);
    await use(place, await expectedOf("backup-format-1"));
  });
});

/** Creates a data folder of an earlier version. Only its search index was built by this version. */
async function folderOfBefore() {
  const place = await placeOver("sqlite");
  await unpack("schema-4/data.tar.gz", place.data);
  const database = join(place.data, "sheaf.db");
  await copyFile(database, `${database}.before`);
  await reindex(place);
  await rename(`${database}.before`, database);
  await rm(join(place.data, "sheaf.lock"));
  return place;
}

/**
 * Copies the folder. For PostgreSQL, also copies the rows, with the schema of the earlier version,
 * into a new database.
 */
async function copyOf(before: Place, dialect: Dialect): Promise<Place> {
  const place = await placeOver(dialect);
  await cp(before.data, place.data, { recursive: true });
  if (dialect === "sqlite") return place;
  await using from = before.open();
  await using to = place.open();
  const records = { db: to.db, dialect, migrate: async () => {} };
  await withSnapshot({ db: from.db, dialect: "sqlite" }, (rows) => loadDump(records, rows, async () => {}));
  return place;
}

/** Returns the rows of the tables that starting the service does not change. */
async function lastingRows(place: Place) {
  await using records = place.open();
  const { agents, credentials, extractions, messages, organizations, threads, users, webhooks } = await everyRow(
    records.db,
  );
  return { agents, credentials, extractions, messages, organizations, threads, users, webhooks };
}

const kills = Number(process.env.TEST_KILLS ?? 6);

describeOverDatabases("a start", (dialect) => {
  test(`that is killed at ${kills} moments of its migrations loses nothing, and the next start completes them`, async (t) => {
    await using before = await folderOfBefore();
    /**
     * Opens the installation, which is the first step of a start. Returns its duration in
     * milliseconds.
     */
    const open = async ({ settings }: Place): Promise<number> => {
      const startedAt = performance.now();
      await using _ = await openInstallation(readConfig(settings), openLog("silent"), { own: true });
      return performance.now() - startedAt;
    };
    const migrations = async (place: Place) => {
      await using records = place.open();
      return (await migrationsOf(records.db)).length;
    };
    await using unharmed = await copyOf(before, dialect);
    // A start in a separate process takes about twice as long as `open` in this process.
    let wholeMs = 2 * (await open(unharmed));
    const [rows, all] = [await lastingRows(unharmed), await migrations(unharmed)];
    let cut = 0;
    for (let i = 1; i <= kills; i++) {
      await using place = await copyOf(before, dialect);
      await using service = start(["serve"], place.settings);
      while (!existsSync(join(place.data, "sheaf.lock"))) await sleep(1);
      await sleep(((i - Math.random()) / kills) * wholeMs);
      service.child.kill("SIGKILL");
      await service.finished;
      if ((await migrations(place)) < all) cut++;
      // The kill came after the last migration. The duration must have been measured while the
      // machine was busier, so it is halved.
      else wholeMs /= 2;
      await open(place);
      assert.equal(await migrations(place), all);
      assert.deepEqual(await lastingRows(place), rows);
      if (i === kills) await use(place, await expectedOf("schema-4"));
    }
    assert.ok(cut > 0, "every kill came too late");
    t.diagnostic(`${cut} of ${kills} kills came before the end of the migrations`);
  });
});
