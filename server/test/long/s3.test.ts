/**
 * A service that stores its files in S3: kills during uploads, outages of the store, backups, and
 * stores that must be refused. `TEST_KILLS` and `TEST_UPLOADS` set the size of the test with kills.
 */
import assert from "node:assert/strict";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openS3Server, type S3Server } from "../../src/files/testing/s3-server.ts";
import { describeOverDatabases } from "../helpers/databases.ts";
import { clientOf, type ListedDocument, placeOver, settled, urlOf } from "../helpers/killed-service.ts";
import { run, start } from "../helpers/process.ts";

const kills = Number(process.env.TEST_KILLS ?? 3);
const uploads = Number(process.env.TEST_UPLOADS ?? 8);
const inParallel = 4;
/**
 * Maximum time until all documents are ready, in milliseconds. On a busy machine the first one
 * takes a minute.
 */
const settleMs = 240_000;

const sample = await readFile(join(import.meta.dirname, "../../../examples/invoice.pdf"));
/**
 * The sample PDF with a comment in front of its trailer, which makes it so large that it is
 * uploaded in parts.
 */
const large = Buffer.concat([sample, Buffer.from(`\n%${"x".repeat(9_000_000)}\n`), sample.subarray(-1000)]);

type Client = Awaited<ReturnType<typeof clientOf>>;

/** Lists the documents. Retries if the machine is so busy that the service refuses requests. */
const listAt = async ({ agent, send }: Client, url: string): Promise<ListedDocument[]> => {
  for (;;) {
    const { status, body } = await send(url, "GET", `/v2/agents/${agent}/documents`);
    if (status === 200) return body.data;
    assert.equal(status, 503);
    await sleep(100);
  }
};

const originals = ({ objects }: S3Server) => [...objects.keys()].filter((key) => key.endsWith(".original"));

describeOverDatabases("stored files in S3", (dialect) => {
  test(`${kills} kills during ${uploads} uploads: accepted documents are stored and become ready`, async () => {
    await using s3 = await openS3Server();
    await using here = await placeOver(dialect, s3.settings());
    let server = start(["serve"], here.settings);
    const client = await clientOf(server);
    let url = client.url;
    // Slows the store down, so that kills hit uploads, including those between two parts.
    s3.fault = ({ query, method }) => ({ delayMs: query.has("partNumber") ? 1_000 : method === "PUT" ? 100 : 0 });
    let next = 0;
    let partial = 0;
    const accepted = new Map<string, string>();
    const uploadAll = async () => {
      for (let i = next++; i < uploads; i = next++) {
        const name = `${i}.pdf`;
        for (;;) {
          const answer = await client.upload(url, name, i % 4 === 0 ? large : sample).catch(() => undefined);
          if (answer?.status === 202) accepted.set(name, answer.body.data.document_reference);
          else if (answer?.status === 409) accepted.set(name, answer.body.detail.document_reference);
          else {
            assert.ok(answer === undefined || answer.status === 503, JSON.stringify(answer));
            await sleep(50);
            continue;
          }
          // Once a document is accepted, its file must be stored, whatever happens to the service
          // afterwards.
          assert.ok(
            originals(s3).some((key) => key.includes(accepted.get(name) ?? "-")),
            name,
          );
          break;
        }
      }
    };
    const uploading = Promise.all(Array.from({ length: inParallel }, uploadAll));
    for (let i = 0; i < kills; i++) {
      const isBetweenParts = i % 2 === 0;
      const deadline = performance.now() + 60_000;
      while (isBetweenParts && s3.uploads.size === 0 && accepted.size < uploads && performance.now() < deadline)
        await sleep(5);
      if (!isBetweenParts) await sleep(Math.random() * 300);
      partial = Math.max(partial, s3.uploads.size);
      server.child.kill("SIGKILL");
      await server.finished;
      server = start(["serve"], here.settings);
      url = await urlOf(server);
    }
    await using last = server;
    await uploading;
    assert.equal(last.child.exitCode, null);
    assert.ok(partial > 0, "no kill hit an upload in parts");
    s3.fault = () => undefined;
    const listed = await settled(() => listAt(client, url), settleMs);
    assert.deepEqual(
      new Map(listed.map(({ name, reference }) => [name, reference])),
      new Map([...accepted].sort((a, b) => (a[1] < b[1] ? -1 : 1))),
    );
    assert.deepEqual(
      listed.filter(({ status }) => status !== "ready"),
      [],
    );
    const doctor = await run(["doctor"], here.settings);
    assert.match(doctor.stdout, new RegExp(`^ok {4}documents: ${uploads} ready, 0 pending, 0 in error`, "m"));
    assert.match(doctor.stdout, /^ok {4}stored files: \d+ in s3:\/\/test-bucket\/sheaf, /m);
    assert.equal(doctor.code, 0, doctor.stdout);
    // Killed uploads may leave files without a row, which the sweep removes later, and unfinished
    // uploads, which are aborted later.
    assert.ok(originals(s3).length <= uploads + kills * inParallel);
    assert.deepEqual(await readdir(here.data).then((names) => names.filter((name) => name === "files")), []);
  });

  test("the stored files are moved from a folder to S3, although the move is killed once", async () => {
    await using s3 = await openS3Server();
    await using here = await placeOver(dialect);
    const { SHEAF_FILES: place = "", ...ofS3 } = s3.settings();
    const before = start(["serve"], here.settings);
    const client = await clientOf(before);
    const names = ["a.pdf", "b.pdf", "c.pdf", "d.pdf"];
    for (const name of names) await client.upload(client.url, name, name === "d.pdf" ? large : sample);
    await settled(() => listAt(client, client.url), settleMs);
    const running = await run(["migrate-storage", place], { ...here.settings, ...ofS3 });
    assert.match(running.stderr, /is using the data folder/);
    before.child.kill("SIGTERM");
    await before.finished;
    s3.fault = () => ({ delayMs: 200 });
    const killed = start(["migrate-storage", place], { ...here.settings, ...ofS3 });
    while (s3.objects.size < 4) await sleep(5);
    killed.child.kill("SIGKILL");
    await killed.finished;
    s3.fault = () => undefined;
    const moved = await run(["migrate-storage", place], { ...here.settings, ...ofS3 });
    assert.equal(moved.code, 0, moved.stderr);
    const [, copied, present] = /^(\d+) files were copied to \S+; (\d+) were there already/.exec(moved.stdout) ?? [];
    assert.ok(Number(copied) > 0 && Number(present) > 0 && Number(copied) + Number(present) === 8, moved.stdout);
    const old = await run(["serve"], here.settings);
    assert.notEqual(old.code, 0);
    assert.match(old.stderr, /were moved to s3:/);
    await rm(join(here.data, "files"), { recursive: true });
    const after = { ...here.settings, ...s3.settings() };
    const doctor = await run(["doctor"], after);
    assert.equal(doctor.code, 0, doctor.stdout);
    assert.match(doctor.stdout, /^ok {4}documents: 4 ready/m);
    await using server = start(["serve"], after);
    const url = await urlOf(server);
    const [{ reference } = assert.fail("There are no documents.")] = await listAt(client, url);
    const words = await client.send(url, "GET", `/v2/agents/${client.agent}/documents/${reference}/pages/1/words`);
    assert.equal(words.status, 200);
  });

  test("during an outage of the store the API responds with 503, and accepted work is done afterwards", async () => {
    await using s3 = await openS3Server();
    await using here = await placeOver(dialect, s3.settings());
    await using server = start(["serve"], here.settings);
    const client = await clientOf(server);
    // The store fails right after the document is accepted, before ingestion has read the file.
    s3.fault = ({ method, key }) => (method === "GET" && key.endsWith(".original") ? { status: 503 } : undefined);
    const first = await client.upload(client.url, "first.pdf", sample);
    assert.equal(first.status, 202);
    s3.fault = () => "reset";
    const refused = await fetch(`${client.url}/v2/agents/${client.agent}/documents`, {
      method: "POST",
      headers: { "x-api-key": client.token, "content-type": "application/json" },
      body: JSON.stringify({ filename: "second.pdf", file: sample.toString("base64") }),
    });
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
    assert.equal(((await refused.json()) as { code: string }).code, "agent_unavailable");
    const ready = await fetch(`${client.url}/readyz`);
    assert.equal(ready.status, 503);
    assert.match(((await ready.json()) as { error: string }).error, /^Down: files/);
    assert.equal((await fetch(`${client.url}/healthz`)).status, 200);
    // Waits longer than the delay between two attempts of the job.
    await sleep(15_000);
    assert.equal((await listAt(client, client.url))[0]?.status, "pending");
    await using opened = here.open();
    const waiting = await opened.db.selectFrom("jobs").selectAll().where("name", "=", "document.ingest").execute();
    assert.ok(
      waiting.length === 1 && waiting.every(({ attempt }) => attempt <= 1),
      "attempts during the outage do not count",
    );
    s3.fault = () => undefined;
    assert.equal((await settled(() => listAt(client, client.url), settleMs))[0]?.status, "ready");
    assert.equal((await client.upload(client.url, "second.pdf", sample)).status, 202);
    const names = (await settled(() => listAt(client, client.url), settleMs)).map(({ name, status }) => [name, status]);
    assert.deepEqual(names, [
      ["first.pdf", "ready"],
      ["second.pdf", "ready"],
    ]);
    assert.equal((await fetch(`${client.url}/readyz`)).status, 200);
  });

  test("a backup contains the files, and can be restored into another prefix or into a folder", async () => {
    await using s3 = await openS3Server({ pageKeys: 2 });
    await using here = await placeOver(dialect, s3.settings());
    await using server = start(["serve"], here.settings);
    const client = await clientOf(server);
    for (const name of ["a.pdf", "b.pdf"])
      while ((await client.upload(client.url, name, sample)).status !== 202) await sleep(100);
    await settled(() => listAt(client, client.url), settleMs);
    const backup = join(here.folder, "backup");
    const made = await run(["backup", backup], here.settings);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /: \d+ rows and 4 files \(/);
    server.child.kill("SIGTERM");
    await server.finished;
    for (const files of [s3.settings("elsewhere"), {}]) {
      await using there = await placeOver(dialect, files);
      const restored = await run(["restore", backup], there.settings);
      assert.equal(restored.code, 0, restored.stderr);
      const doctor = await run(["doctor"], there.settings);
      assert.match(doctor.stdout, /^ok {4}documents: 2 ready, 0 pending, 0 in error/m);
      await using again = start(["serve"], there.settings);
      assert.equal((await listAt(client, await urlOf(again))).length, 2);
    }
    await using used = await placeOver(dialect, s3.settings("elsewhere"));
    const refused = await run(["restore", backup], used.settings);
    assert.match(refused.stderr, /^sheaf: s3:\/\/test-bucket\/elsewhere is not empty: a backup can only be restored/);
  });

  test("a store with files of another installation, an unreachable one, and one without conditional writes are refused", async () => {
    await using s3 = await openS3Server();
    await using here = await placeOver(dialect, s3.settings());
    await using server = start(["serve"], here.settings);
    await urlOf(server);
    server.child.kill("SIGTERM");
    await server.finished;
    await using other = await placeOver(dialect, s3.settings());
    const foreign = await run(["serve"], other.settings);
    assert.match(foreign.stderr, /^sheaf: The bucket of the stored files, s3:\/\/test-bucket\/sheaf, belongs to /);
    const empty = await run(["serve"], { ...here.settings, ...s3.settings("empty") });
    assert.match(empty.stderr, /^sheaf: The bucket of the stored files, \S+, has no mark of this installation/);
    s3.fault = () => "reset";
    const away = await run(["serve"], here.settings);
    assert.deepEqual([away.code, /^sheaf: The stored files in \S+ are not available: /.test(away.stderr)], [1, true]);
    await using unconditional = await openS3Server({ conditional: false });
    const settings = { ...here.settings, ...unconditional.settings() };
    for (const [command, output] of [
      ["serve", "stderr"],
      ["doctor", "stdout"],
    ] as const) {
      const refused = await run([command], settings);
      assert.equal(refused.code, 1);
      assert.match(refused[output], /The store of s3:\/\/test-bucket\/sheaf ignores conditional writes/);
    }
  });
});
