/**
 * Kills a service while documents are ingested. Each accepted document must reach its final state
 * exactly once, and no file may be left over. `TEST_KILLS` and `TEST_UPLOADS` set the size of the
 * main test.
 */

import assert from "node:assert/strict";
import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { addDocument } from "../../src/features/documents/document-uploads.service.ts";
import { openFolderFiles } from "../../src/files/folder-files.ts";
import { onBehalfOf } from "../../src/lib/caller.ts";
import { openLog } from "../../src/lib/log.ts";
import { childrenOf } from "../../src/reading/testing/child-processes.ts";
import { openPassageIndex } from "../../src/search/passage-index.ts";
import { describeOverDatabases } from "../helpers/databases.ts";
import { clientOf, placeOver, settled, urlOf } from "../helpers/killed-service.ts";
import { type Running, run, start } from "../helpers/process.ts";

const kills = Number(process.env.TEST_KILLS ?? 4);
const uploads = Number(process.env.TEST_UPLOADS ?? 40);
const inParallel = 6;

const samples = await Promise.all(
  ["../../../examples/invoice.pdf", "../fixtures/invoice-aligned-table.pdf", "../fixtures/invoice-ruled-table.pdf"].map(
    (path) => readFile(join(import.meta.dirname, path)),
  ),
);
function sample(i: number): Buffer {
  return samples[i % samples.length] ?? assert.fail("There are no samples.");
}
/**
 * Returns the bytes of file `i`: a sample document or, for every tenth file, bytes that are not a
 * document.
 */
const fileOf = (i: number): Buffer => (i % 10 === 9 ? Buffer.from("nothing") : sample(i));

/** Uploads documents, and returns a function that lists the ids of the reading processes. */
async function startReading(server: Running, client: Awaited<ReturnType<typeof clientOf>>, documents: number) {
  // Waits for the first document, which starts a reading process: killing a process before it is
  // ready would prove nothing.
  await client.upload(client.url, "0.pdf", sample(0));
  await settled(() => client.list(client.url));
  for (let i = 1; i < documents; i++) await client.upload(client.url, `${i}.pdf`, sample(i));
  return () => childrenOf(server.child.pid ?? 0);
}

describeOverDatabases("a corpus and kills", (dialect) => {
  const place = () => placeOver(dialect);

  test(`${kills} kills during ${uploads} uploads: accepted documents are finished once, and no file is left over`, async (t) => {
    await using here = await place();
    let server = start(["serve"], here.settings);
    const client = await clientOf(server);
    let url = client.url;
    let next = 0;
    const accepted = new Map<string, string>();
    const uploadAll = async () => {
      for (let i = next++; i < uploads; i = next++) {
        const name = `${i}.pdf`;
        for (;;) {
          const answer = await client.upload(url, name, fileOf(i)).catch(() => undefined);
          // A request that got no response may have been accepted nevertheless. Then the next
          // attempt gets 409 with the id of the document.
          if (answer?.status === 202) accepted.set(name, answer.body.data.document_reference);
          else if (answer?.status === 409) accepted.set(name, answer.body.detail.document_reference);
          else {
            assert.ok(answer === undefined || answer.status === 503, JSON.stringify(answer));
            await sleep(50);
            continue;
          }
          await sleep((kills * 400 * inParallel) / uploads);
          break;
        }
      }
    };
    const uploading = Promise.all(Array.from({ length: inParallel }, uploadAll));
    for (let i = 0; i < kills; i++) {
      await sleep(Math.random() * 900);
      server.child.kill("SIGKILL");
      await server.finished;
      server = start(["serve"], here.settings);
      // In some rounds, the process is killed while it starts.
      if (i % 4 !== 3) url = await urlOf(server);
    }
    await using last = server;
    url = await urlOf(last);
    await uploading;
    const listed = await settled(() => client.list(url));
    assert.deepEqual(
      new Map(listed.map(({ name, reference }) => [name, reference])),
      new Map([...accepted].sort((a, b) => (a[1] < b[1] ? -1 : 1))),
    );
    assert.equal(listed.length, uploads);
    const inError = listed.filter(({ status }) => status === "error").map(({ name }) => name);
    const broken = Array.from({ length: uploads }, (_, i) => i).filter((i) => i % 10 === 9);
    assert.deepEqual(inError.sort(), broken.map((i) => `${i}.pdf`).sort(), "only invalid documents are in error");

    await using opened = here.open();
    while ((await opened.db.selectFrom("jobs").select("id").execute()).length > 0) await sleep(50);
    const organizations = (await readdir(join(here.data, "files"))).filter((name) => !name.startsWith("."));
    const files = await readdir(join(here.data, "files", organizations[0] ?? "", client.agent));
    const expected = listed.flatMap(({ reference, status }) =>
      status === "ready" ? [`${reference}.original`, `${reference}.document`] : [`${reference}.original`],
    );
    const extra = files.filter((name) => !expected.includes(name));
    assert.deepEqual([organizations.length, expected.filter((name) => !files.includes(name))], [1, []]);
    // If the service is killed while it starts, it may not have recorded which uploads were
    // interrupted. In that case, the sweep removes their files only after a day.
    assert.ok(extra.every((name) => name.endsWith(".original")) && extra.length <= kills * inParallel, extra.join());
    for (const name of extra) await rm(join(here.data, "files", organizations[0] ?? "", client.agent, name));
    assert.deepEqual(await readdir(join(here.data, "tmp")), []);
    const index = await openPassageIndex({ folder: join(here.data, "index") });
    const found = await index.search(client.agent, { text: "invoice total", limit: 10_000 });
    await index[Symbol.asyncDispose]();
    const places = found.map(({ document, page, start }) => `${document} ${page} ${start}`);
    assert.equal(new Set(places).size, places.length, "no passage exists twice");
    const doctor = await run(["doctor"], here.settings);
    const documents = listed.length - inError.length;
    assert.match(
      doctor.stdout,
      new RegExp(`^ok {4}documents: ${documents} ready, 0 pending, ${inError.length} in error`, "m"),
    );
    assert.equal(doctor.code, 0, doctor.stdout);
    t.diagnostic(`${listed.length} uploads, ${kills} kills`);
  });

  test("a job that was running at the kill finishes soon after the restart, and a failed job is not run again", async () => {
    await using here = await place();
    const first = start(["serve"], here.settings);
    const client = await clientOf(first);
    await client.upload(client.url, "broken.pdf", Buffer.from("nothing"));
    await settled(() => client.list(client.url));
    await using opened = here.open();
    const broken = () =>
      opened.db.selectFrom("documents").selectAll().where("name", "=", "broken.pdf").executeTakeFirstOrThrow();
    const before = await broken();
    assert.equal(before.status, "error");
    for (let i = 0; i < 12; i++) await client.upload(client.url, `${i}.pdf`, sample(1));
    const held = async () =>
      (await opened.db.selectFrom("jobs").select("id").where("worker", "is not", null).execute()).length;
    while ((await held()) === 0) await sleep(5);
    first.child.kill("SIGKILL");
    await first.finished;
    assert.ok((await held()) > 0);
    const startedAt = performance.now();
    await using second = start(["serve"], here.settings);
    const url = await urlOf(second);
    for (const { name, status } of await settled(() => client.list(url), 30_000))
      assert.equal(status, name === "broken.pdf" ? "error" : "ready");
    assert.ok(performance.now() - startedAt < 30_000);
    assert.deepEqual(await broken(), before);
  });

  test("SIGTERM under load stops running jobs, which another start continues, and exits with 0 within 10 seconds", async () => {
    await using here = await place();
    const first = start(["serve"], here.settings);
    const client = await clientOf(first);
    await Promise.all(Array.from({ length: 30 }, (_, i) => client.upload(client.url, `${i}.pdf`, sample(i))));
    await using opened = here.open();
    const jobs = () => opened.db.selectFrom("jobs").selectAll().execute();
    while (!(await jobs()).some(({ worker }) => worker !== null)) await sleep(5);
    const late = client.upload(client.url, "late.pdf", sample(0)).catch(() => undefined);
    const startedAt = performance.now();
    first.child.kill("SIGTERM");
    const { code } = await first.finished;
    await late;
    assert.equal(code, 0);
    assert.ok(performance.now() - startedAt < 10_000);
    const left = await jobs();
    assert.ok(left.length > 0, "the load was too small to be cut short");
    for (const { worker, attempt, run_at } of left)
      assert.deepEqual([worker, attempt, run_at <= new Date().toISOString()], [null, 0, true]);
    await using second = start(["serve"], here.settings);
    const url = await urlOf(second);
    for (const { status } of await settled(() => client.list(url))) assert.equal(status, "ready");
  });

  test("with 500 pending documents the service is ready within 5 seconds, and processes a few at a time", async () => {
    const readers = 2;
    await using here = await placeOver(dialect, { SHEAF_READING_PROCESSES: String(readers) });
    const first = start(["serve"], here.settings);
    const client = await clientOf(first);
    first.child.kill("SIGTERM");
    await first.finished;
    await using opened = here.open();
    const { organization_id: organizationId } = await opened.db
      .selectFrom("agents")
      .select("organization_id")
      .executeTakeFirstOrThrow();
    const deps = {
      db: opened.db,
      log: openLog("silent"),
      files: await openFolderFiles(join(here.data, "files")),
      index: await openPassageIndex({ folder: join(here.data, "index") }),
      wake: () => {},
    };
    for (let i = 0; i < 500; i++) {
      const path = join(here.folder, `${i}.pdf`);
      await cp(join(import.meta.dirname, "../fixtures/invoice-ruled-table.pdf"), path);
      const file = { path, size: samples[2]?.length ?? 0 };
      const operator = { ...onBehalfOf(organizationId), operator: "test" };
      await addDocument(deps, operator, client.agent, { name: `${i}.pdf`, file, channel: "api" });
    }
    await deps.index[Symbol.asyncDispose]();
    const startedAt = performance.now();
    await using second = start(["serve"], here.settings);
    const url = await urlOf(second);
    assert.equal((await client.list(url)).length, 500);
    const readyMs = performance.now() - startedAt;
    // The target is 5 seconds. If all 500 documents were loaded one by one first, it would take far
    // longer, even on a fast machine.
    assert.ok(readyMs < 5_000, `${readyMs} ms`);
    let most = 0;
    const look = async () => {
      const held = await opened.db.selectFrom("jobs").select("id").where("worker", "is not", null).execute();
      most = Math.max(most, held.length);
      return client.list(url);
    };
    for (const { status } of await settled(look, 120_000)) assert.equal(status, "ready");
    // Allows more than the number of reading processes, because some documents are already being
    // indexed.
    assert.ok(most >= readers && most <= readers + 3, `${most} at once`);
  });

  test("no document is lost if reading processes are killed repeatedly", async () => {
    await using here = await place();
    await using server = start(["serve"], here.settings);
    const client = await clientOf(server);
    const readers = await startReading(server, client, 40);
    for (let round = 0; round < 3; round++) {
      for (const id of readers()) {
        try {
          process.kill(id, "SIGKILL");
        } catch {
          // The process has exited by itself.
        }
      }
      await sleep(1_500);
    }
    const ended = await settled(() => client.list(client.url));
    assert.equal(ended.length, 40);
    assert.deepEqual(
      ended.filter(({ status }) => status !== "ready"),
      [],
    );
  });

  test("if a reading process exits unexpectedly, only the document that it was reading fails", async () => {
    await using here = await place();
    await using server = start(["serve"], here.settings);
    const client = await clientOf(server);
    const readers = await startReading(server, client, 20);
    for (const id of readers()) process.kill(id, "SIGABRT");
    const ended = await settled(() => client.list(client.url));
    const inError = ended.filter(({ status }) => status === "error");
    assert.ok(inError.length <= 2, `${inError.length} ended in error`);
    await using opened = here.open();
    for (const { failure } of await opened.db
      .selectFrom("documents")
      .select("failure")
      .where("status", "=", "error")
      .execute())
      assert.equal(failure, "too_complex");
  });
});
