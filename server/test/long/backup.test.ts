/** Backups of a running service, and services restored from them. */

import assert from "node:assert/strict";
import { appendFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import { readConfig } from "../../src/config.ts";
import { makeBackup } from "../../src/features/backup/backup.service.ts";
import { checkCorpus } from "../../src/features/documents/corpus-check.ts";
import { createFirstOrganization } from "../../src/features/organizations/organizations.service.ts";
import { openFolderFiles } from "../../src/files/folder-files.ts";
import { openInstallation } from "../../src/installation.ts";
import { newId } from "../../src/lib/ids.ts";
import { openLog } from "../../src/lib/log.ts";
import { withSnapshot } from "../../src/records/dump.ts";
import { openPassageIndex } from "../../src/search/passage-index.ts";
import { backUp, restore } from "../helpers/backups.ts";
import { corpusOf, sample } from "../helpers/corpus.ts";
import { type Dialect, describeOverDatabases } from "../helpers/databases.ts";
import { clientOf, type Place, placeOver, settled, urlOf } from "../helpers/killed-service.ts";
import { run, start } from "../helpers/process.ts";
import { openTestService } from "../helpers/service.ts";
import { withCalls } from "../helpers/stored-files.ts";

const log = openLog("silent");

const folders = (data: string) => ({ files: join(data, "files"), index: join(data, "index") });

/** Returns the problems with documents that `sheaf doctor` would report. */
async function problemsOf(place: Place, running: boolean): Promise<string[]> {
  await using records = place.open();
  await using index = await openPassageIndex({ folder: folders(place.data).index });
  const files = await openFolderFiles(folders(place.data).files);
  return (await checkCorpus({ db: records.db, files, index }, { running })).problems;
}

async function succeed(args: string[], place: Place): Promise<string> {
  const { code, stdout, stderr } = await run(args, place.settings);
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  return stdout;
}

/** Creates an installation without a service: one organization and its credential. */
async function furnish(place: Place): Promise<void> {
  await using installation = await openInstallation(readConfig(place.settings), log, { own: true });
  await createFirstOrganization({ db: installation.records.db, keys: installation.keys });
}

/**
 * Inserts rows whose types the two databases store differently: flags, large numbers, times, and
 * text in many scripts.
 */
async function fill(place: Place): Promise<void> {
  await using records = place.open();
  const { db } = records;
  const at = "2026-03-14T09:26:53.589Z";
  const organization = { api_enabled: false, plan: "plan", created_at: at, updated_at: at };
  await db
    .insertInto("plans")
    .values({ name: "plan", is_default: true, included_api_tokens: 2 ** 40 + 1, created_at: at, updated_at: at })
    .execute();
  for (let i = 0; i < 1200; i++)
    await db
      .insertInto("organizations")
      .values({ id: newId(), name: `\u65e5\u672c \ud83d\ude00 "\\${i}\u2028`, slug: `o${i}`, ...organization })
      .execute();
}

/**
 * Returns every row of every table as JSON. Booleans become numbers, so that rows from the two
 * databases can be compared.
 */
async function rowsOf(place: Place, dialect: Dialect): Promise<Record<string, unknown[]>> {
  await using records = place.open();
  return await withSnapshot({ db: records.db, dialect }, async ({ tables, rows }) => {
    const all: Record<string, unknown[]> = {};
    for (const table of tables) {
      const found: string[] = [];
      for await (const row of rows(table))
        found.push(JSON.stringify(row, (_, value) => (typeof value === "boolean" ? Number(value) : value)));
      all[table] = found.sort();
    }
    return all;
  });
}

describeOverDatabases("backups", (dialect) => {
  test("a backup made during uploads contains everything accepted before, and restored jobs finish", async () => {
    await using here = await placeOver(dialect);
    await using there = await placeOver(dialect);
    const backup = join(here.folder, "backup");
    await using service = start(["serve"], here.settings);
    const client = await clientOf(service);
    const accepted: string[] = [];
    const upload = async (name: string) => {
      const answer = await client.upload(client.url, name, sample);
      assert.equal(answer.status, 202);
      accepted.push(answer.body.data.document_reference);
    };
    for (let i = 0; i < 6; i++) await upload(`before ${i}.pdf`);
    const webhook = await client.send(client.url, "PUT", "/v2/organization/webhooks/document.ingestion_completed", {
      url: "https://example.com/hook",
    });
    const { secret } = webhook.body.data;
    const before = [...accepted];
    let ended = false;
    const uploads = [0, 1].map(async (line) => {
      for (let i = 0; !ended; i++) await upload(`during ${line} ${i}.pdf`);
    });
    await upload("deleted.pdf");
    const deleted = accepted.at(-1);
    const removal = sleep(400).then(() =>
      client.send(client.url, "DELETE", `/v2/agents/${client.agent}/documents/${deleted}`),
    );
    await succeed(["backup", backup], here);
    ended = true;
    assert.equal((await removal).status, 200);
    await Promise.all(uploads);

    for (const name of await readdir(join(backup, "tables"))) {
      const rows = zstdDecompressSync(await readFile(join(backup, "tables", name))).toString();
      assert.ok(!rows.includes(secret), `${name} contains the secret of a webhook`);
    }
    for (const { mode } of await Promise.all(
      ["keys/signing.key", "SHA256SUMS"].map((path) => stat(join(backup, path))),
    ))
      assert.equal(mode & 0o777, 0o600);

    await succeed(["restore", backup], there);
    assert.deepEqual(await problemsOf(there, false), []);
    await using restored = start(["serve"], there.settings);
    const url = await urlOf(restored);
    const documents = await settled(() => client.list(url));
    const ready = new Set(documents.filter(({ status }) => status === "ready").map(({ reference }) => reference));
    assert.equal(ready.size, documents.length);
    for (const reference of before) assert.ok(ready.has(reference), `${reference} is missing`);
    const known = new Set(accepted);
    for (const reference of ready) assert.ok(known.has(reference), `${reference} was never uploaded`);
    assert.deepEqual(await problemsOf(there, true), []);
    const again = await client.send(url, "PUT", "/v2/organization/webhooks/document.ingestion_completed", {
      url: "https://example.com/other",
    });
    assert.deepEqual(Object.keys(again.body.data).sort(), ["event", "url"], "the secret is still the old one");
  });

  test("files that are deleted between the snapshot of the rows and the copy of the files are left out", async () => {
    await using service = await openTestService(dialect);
    await using there = await placeOver(dialect);
    const organization = await service.organization("Acme");
    const corpus = corpusOf(service, organization);
    const agent = await corpus.makeAgent();
    const kept = await corpus.accepted(agent, { filename: "kept.pdf" });
    const deleted = await corpus.accepted(agent, { filename: "deleted.pdf" });
    await corpus.settled(agent);
    const files = await openFolderFiles(service.config.filesDir);
    let listings = 0;
    const late = withCalls(files, {
      // Simulates two uploads after the first listing of the files. One of them is deleted before
      // the second listing.
      async *list() {
        if (++listings === 1) return;
        await corpus.send("DELETE", `/v2/agents/${agent}/documents/${deleted}`);
        yield* files.list();
      },
    });
    const { database, keysDir } = service.config;
    const settings = database.dialect === "sqlite" ? database : { ...database, onIdleError: () => {} };
    const backup = join(there.folder, "backup");
    const made = await makeBackup({ database: settings, files: late, keysDir }, backup, { withoutKeys: false });
    assert.deepEqual([made.missing, made.manifest.gone.documents], [[], [deleted]]);
    await restore(backup, there);
    assert.deepEqual(await problemsOf(there, false), []);
    await using records = there.open();
    const rows = await records.db.selectFrom("documents").select("id").execute();
    assert.deepEqual(
      rows.map(({ id }) => id),
      [kept],
    );
    const actions = await service.db.selectFrom("audit_entries").select("action").execute();
    assert.ok(actions.some(({ action }) => action === "backup.made"));
  });

  test("rows are unchanged after a restore from one kind of database into the other", async () => {
    await using here = await placeOver("sqlite");
    await using there = await placeOver(dialect);
    await using back = await placeOver("sqlite");
    await furnish(here);
    await fill(here);
    const [first, second] = [join(here.folder, "first"), join(here.folder, "second")];
    await backUp(here, first);
    await restore(first, there);
    await backUp(there, second);
    await restore(second, back);
    const restored = await rowsOf(there, dialect);
    const twice = await rowsOf(back, "sqlite");
    const original = await rowsOf(here, "sqlite");
    for (const table of Object.keys(original).filter((each) => each !== "audit_entries")) {
      assert.deepEqual(restored[table], original[table], table);
      assert.deepEqual(twice[table], original[table], table);
    }
    // Each restore adds an audit entry, and each backup adds one after its snapshot.
    const log = [original, restored, twice].map((rows) => rows.audit_entries?.length ?? 0);
    assert.equal((log[1] ?? 0) - (log[0] ?? 0), 1);
    assert.equal((log[2] ?? 0) - (log[1] ?? 0), 0);
  });

  test("a service does not start after an interrupted restore", async () => {
    await using here = await placeOver(dialect);
    await using there = await placeOver(dialect);
    const backup = join(here.folder, "backup");
    await furnish(here);
    await backUp(here, backup);
    const cut = start(["restore", backup], there.settings);
    while (!(await stat(join(there.data, "restore.unfinished")).catch(() => undefined))) await sleep(1);
    cut.child.kill("SIGKILL");
    await cut.finished;
    const { code, stderr } = await run(["serve"], there.settings);
    assert.deepEqual([code, /was interrupted/.test(stderr)], [1, true], stderr);
    await assert.rejects(restore(backup, there), /is not empty/);
  });
});

test("an interrupted backup is incomplete and cannot be restored, and the next backup succeeds", async () => {
  await using here = await placeOver("sqlite");
  await using there = await placeOver("sqlite");
  const backup = join(here.folder, "backup");
  await furnish(here);
  const stored = join(folders(here.data).files, "operations");
  await mkdir(stored, { recursive: true });
  for (let i = 0; i < 300; i++) await writeFile(join(stored, `o${i}`), sample);
  const killed = start(["backup", backup], here.settings);
  while (!(await stat(`${backup}.part/files`).catch(() => undefined))) await sleep(1);
  killed.child.kill("SIGKILL");
  await killed.finished;
  await assert.rejects(stat(backup));
  await assert.rejects(restore(`${backup}.part`, there), /not a complete one/);
  await backUp(here, backup);
  await assert.rejects(stat(`${backup}.part`));
  await assert.rejects(backUp(here, backup), /already exists/);
  await restore(backup, there);
});

test("a modified backup is refused, and nothing is restored", async () => {
  await using here = await placeOver("sqlite");
  const backup = join(here.folder, "backup");
  await furnish(here);
  await backUp(here, backup);
  const table = "tables/organizations.jsonl.zst";
  const damages: [RegExp, (copy: string) => Promise<void>][] = [
    [/has changed/, (copy) => appendFile(join(copy, table), "x")],
    [/has changed/, (copy) => appendFile(join(copy, "SHA256SUMS"), "\n")],
    [/is missing from the backup/, (copy) => rm(join(copy, table))],
    [/does not belong to the backup/, (copy) => writeFile(join(copy, "keys/other.key"), "x")],
    [/is not a backup/, (copy) => rm(join(copy, "manifest.json"))],
  ];
  for (const [message, damage] of damages) {
    await using there = await placeOver("sqlite");
    const copy = join(there.folder, "copy");
    await cp(backup, copy, { recursive: true });
    await damage(copy);
    await assert.rejects(restore(copy, there), message);
    await assert.rejects(stat(there.data));
  }
  await assert.rejects(restore(backup, here), /is not empty/);
});

test("a backup made without keys can be restored only with the keys of its installation", async () => {
  await using here = await placeOver("sqlite");
  await using there = await placeOver("sqlite");
  const backup = join(here.folder, "backup");
  await furnish(here);
  await backUp(here, backup, { withoutKeys: true });
  await assert.rejects(stat(join(backup, "keys")));
  await assert.rejects(restore(backup, there), /was made with other keys than those/);
  await rm(there.data, { recursive: true });
  await cp(join(here.data, "keys"), join(there.data, "keys"), { recursive: true });
  await restore(backup, there);
  assert.deepEqual((await rowsOf(there, "sqlite")).credentials, (await rowsOf(here, "sqlite")).credentials);
});
