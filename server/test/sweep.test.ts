/**
 * Stray files, which are stored files without a database row: which of them the sweep moves to the
 * trash, and how they are restored.
 */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { inspectStore, restoreTrash, sweep } from "../src/features/maintenance/sweep.service.ts";
import { openFolderFiles } from "../src/files/folder-files.ts";
import type { StoredFiles } from "../src/files/stored-files.ts";
import { openTemporaryFiles } from "../src/files/temporary-files.ts";
import { enqueue } from "../src/jobs/queue.ts";
import { newId } from "../src/lib/ids.ts";
import { openRecords } from "../src/records/records.ts";
import { corpusOf, type TestCorpus } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { temporaryFolder } from "./helpers/process.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import { storedEarlier } from "./helpers/stored-files.ts";

const hourMs = 3_600_000;
const trashDays = 7;

describeOverDatabases("a sweep", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let corpus: TestCorpus;
  let files: StoredFiles;
  /** The stored files, with storage times two days earlier. */
  let old: StoredFiles;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Sweep House");
    corpus = corpusOf(service, organization);
    files = await openFolderFiles(service.config.filesDir);
    old = storedEarlier(files, 48 * hourMs);
  });
  after(() => service[Symbol.asyncDispose]());
  afterEach(async () => {
    await files.removeAll(organization.id);
    await files.removeAll("operations");
    await files.trash.empty("9");
  });

  const store = async (count: number, keyOf = () => `${organization.id}/${newId()}/${newId()}.original`) => {
    const source = join(service.config.dataDir, "tmp", "source");
    await writeFile(source, "x");
    const keys = Array.from({ length: count }, keyOf);
    for (const key of keys) await files.put(key, source);
    return keys;
  };
  const keysOf = async (listed: AsyncIterable<{ key: string }>) => {
    const keys: string[] = [];
    for await (const { key } of listed) keys.push(key);
    return keys;
  };
  const stored = () => keysOf(files.list());
  const trashed = () => keysOf(files.trash.list());

  test("keeps recent strays, and moves old ones to the trash, where they stay for some days", async () => {
    const strays = [...(await store(3)), ...(await store(1, () => `operations/${newId()}`))];
    assert.equal((await sweep({ db: service.db, files }, { trashDays })).moved, 0);
    const report = await sweep({ db: service.db, files: old }, { trashDays });
    assert.deepEqual(report, { removed: 0, moved: 4, putBack: 0, heldBack: 0, trashed: 4 });
    assert.deepEqual([await stored(), (await trashed()).sort()], [[], strays.sort()]);
    const bin = join(service.config.filesDir, ".trash");
    const [batch = ""] = await readdir(bin);
    const made = new Date(Date.parse(batch) - (trashDays + 1) * 24 * hourMs).toISOString().slice(0, 10);
    await rename(join(bin, batch), join(bin, made));
    await sweep({ db: service.db, files }, { trashDays: trashDays + 1 });
    assert.equal((await trashed()).length, 4);
    await sweep({ db: service.db, files }, { trashDays });
    assert.deepEqual(await trashed(), []);
  });

  test("moves nothing if the database has no rows, until the operator confirms", async () => {
    const agent = await corpus.makeAgent();
    for (let i = 0; i < 3; i++) await corpus.accepted(agent, { filename: `${i}.pdf` });
    await corpus.settled(agent);
    await store(30);
    await using folder = await temporaryFolder();
    const empty = openRecords({ dialect: "sqlite", path: join(folder.path, "empty.db") });
    try {
      await empty.migrate();
      const all = (await stored()).length;
      assert.ok(all >= 36);
      const report = await sweep({ db: empty.db, files: old }, { trashDays });
      assert.deepEqual([report.moved, report.heldBack, (await stored()).length], [0, all, all]);
      assert.equal((await inspectStore({ db: empty.db, files: old })).tooMany, true);
      assert.equal((await sweep({ db: empty.db, files: old }, { trashDays, wanted: true })).moved, all);
      assert.deepEqual(await stored(), []);
      // The real database has rows for six of the files, so this sweep puts them back.
      const back = await sweep({ db: service.db, files }, { trashDays });
      assert.deepEqual([back.putBack, back.trashed], [6, 30]);
      assert.equal(await restoreTrash({ files }), 30);
      assert.equal((await stored()).length, all);
    } finally {
      await empty.close();
    }
    await corpus.send("DELETE", `/v2/agents/${agent}`);
  });

  test("counts files moved by earlier sweeps: many small sweeps together move no more than one sweep may", async () => {
    let moved = 0;
    for (let i = 0; i < 5; i++) {
      await store(15);
      moved += (await sweep({ db: service.db, files: old }, { trashDays })).moved;
    }
    assert.equal(moved, 15);
    // Files that were moved at an operator's request do not count towards the limit of later
    // sweeps.
    await sweep({ db: service.db, files: old }, { trashDays, wanted: true });
    await files.trash.empty(`${new Date().toISOString().slice(0, 10)}.`);
    await store(1);
    assert.equal((await sweep({ db: service.db, files: old }, { trashDays })).moved, 1);
  });

  test("removes files of interrupted uploads at once, and keeps other recent files", async () => {
    const folder = join(service.config.dataDir, "another");
    await mkdir(folder);
    const killed = await openTemporaryFiles(folder);
    const [upload, other] = [await killed.create(), await killed.create()];
    await upload.close();
    await other.close();
    const [key, young] = [`${organization.id}/${newId()}/${newId()}.original`, (await store(1))[0]];
    await files.put(key, upload.path);
    const { abandoned } = await openTemporaryFiles(folder);
    const report = await sweep({ db: service.db, files }, { trashDays, abandoned });
    assert.deepEqual([report.removed, report.moved, await stored(), await trashed()], [1, 0, [young], []]);
  });

  test("keeps files that a delayed job will remove", async () => {
    const [agent, document] = [newId(), newId()];
    await store(1, () => `${organization.id}/${agent}/${document}.original`);
    const payload = { agent, document };
    const options = { organizationId: organization.id, delayMs: hourMs };
    await enqueue(service.db, "document.clean", payload, options);
    assert.equal((await sweep({ db: service.db, files: old }, { trashDays })).moved, 0);
    await service.db.deleteFrom("jobs").execute();
    assert.equal((await sweep({ db: service.db, files: old }, { trashDays })).moved, 1);
  });

  test("is reported by the metrics of the service", async () => {
    const token = (await readFile(join(service.config.keysDir, "metrics.token"), "utf8")).trim();
    const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    assert.match(await answer.text(), /^sheaf_files_held_back 0\nsheaf_|^sheaf_files_held_back 0$/m);
  });
});
