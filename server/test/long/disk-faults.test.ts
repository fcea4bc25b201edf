/**
 * Runs the data folder on a full or failing disk: data that the service has accepted must survive.
 * With PostgreSQL, the database is on another disk, which works. Needs Linux, unshare and strace.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, mkdir, open, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkCorpus } from "../../src/features/documents/corpus-check.ts";
import { openFolderFiles } from "../../src/files/folder-files.ts";
import { openPassageIndex } from "../../src/search/passage-index.ts";
import { sample } from "../helpers/corpus.ts";
import { type Dialect, describeOverDatabases } from "../helpers/databases.ts";
import { clientOf, type Place, placeOver, settled, urlOf } from "../helpers/killed-service.ts";
import { type Running, start } from "../helpers/process.ts";
import { noStrace, strace } from "../helpers/strace.ts";

const mayMount = ["--user", "--map-root-user", "--mount"];
const mount = 'mount -t tmpfs -o size=24m,mode=700 tmpfs "$0" && exec "$@"';
const works = spawnSync("unshare", [...mayMount, "sh", "-c", mount, tmpdir(), "true"]).status === 0;
const noMount = !works && process.env.REQUIRE_SERVICES === undefined && "a private file system is not possible here";

/** Returns every stored and temporary file below a data folder. */
const filesBelow = async (data: string): Promise<string[]> =>
  (
    await Promise.all(
      ["files", "tmp"].map((name) => readdir(join(data, name), { recursive: true, withFileTypes: true })),
    )
  )
    .flat()
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();

/**
 * Returns the inconsistencies between the files and the rows of a data folder, which may be a copy.
 */
async function problemsOf(place: Place, data = place.data): Promise<string[]> {
  await using records = place.open(data);
  await using index = await openPassageIndex({ folder: join(data, "index") });
  const files = await openFolderFiles(join(data, "files"));
  return (await checkCorpus({ db: records.db, files, index }, { running: true })).problems;
}

interface Refusal {
  status: number;
  body: { status: string; code: string };
}

function assertRefused({ status, body }: Refusal): void {
  assert.deepEqual([status, body.status, body.code], [503, "error", "agent_unavailable"]);
  assert.doesNotMatch(JSON.stringify(body), /ENOSPC|EIO|SQLITE|\/tmp|disk/i);
}

/** Writes to a file until the disk is full. */
async function fill(path: string): Promise<void> {
  await using file = await open(path, "w");
  for (const size of [1 << 20, 4096])
    for (;;) {
      try {
        await file.write(Buffer.alloc(size));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
        break;
      }
    }
}

/**
 * System calls that must come before the response to an upload, by database. SQLite must sync its
 * file. PostgreSQL syncs in its own process, so only the messages to it are checked.
 */
const stepsOfDatabase: Record<Dialect, [string, RegExp][]> = {
  sqlite: [["database", /f(data)?sync\(\d+<[^>]*\/sheaf\.db(-wal)?>/]],
  postgres: [
    ["row", /(write|send)\w*\(.*insert into \\"documents\\"/],
    ["commit", /(write|send)\w*\(.*"Q\\0\\0\\0\\vcommit\\0"/],
  ],
};

/**
 * Makes the given system calls of a process fail. If `paths` is not empty, only calls on these
 * paths fail.
 */
const spoil = (pid: number | undefined, calls: string, paths: string[] = []) =>
  strace([pid], "-e", `trace=${calls}`, "-e", `inject=${calls}:error=EIO`, ...paths.flatMap((path) => ["-P", path]));

describeOverDatabases("a disk", (dialect) => {
  let place: Place;
  let service: Running;
  before(async () => {
    place = await placeOver(dialect);
    service = start(["serve"], place.settings);
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  test("on a full disk, writes are refused and leave no partial data; once there is free space, everything works again", {
    skip: noMount,
  }, async () => {
    await using place = await placeOver(dialect);
    await mkdir(place.data);
    await using service = start(["serve"], place.settings, ["unshare", ...mayMount, "sh", "-c", mount, place.data]);
    const client = await clientOf(service);
    const upload = (name: string) => client.upload(client.url, name, sample);
    assert.equal((await upload("before.pdf")).status, 202);
    await settled(() => client.list(client.url));
    // The data folder is on a file system that only the service sees. This is its path from
    // outside.
    const data = join(`/proc/${service.child.pid}/root`, place.data);
    const before = await filesBelow(data);

    const filler = join(data, "filler");
    await fill(filler);
    assertRefused(await upload("refused.pdf"));
    const makeAgent = () => client.send(client.url, "POST", "/v2/agents", { name: "x".repeat(200), type: "EXTRACTOR" });
    if (dialect === "postgres") assert.equal((await makeAgent()).status, 201);
    else {
      // The write-ahead log of SQLite has some space in reserve, so the first writes still succeed.
      let answer = await makeAgent();
      for (let i = 0; answer.status < 300 && i < 200; i++) answer = await makeAgent();
      assertRefused(answer);
    }
    const look = (path: string) => client.send(client.url, "GET", path);
    const down = { status: "error", code: "agent_unavailable", error: "Down: files." };
    assert.deepEqual(await look("/readyz"), { status: 503, body: down });
    assert.equal((await look("/healthz")).status, 200);
    assertRefused(await upload("refused too.pdf"));
    assert.deepEqual(
      (await client.list(client.url)).map(({ name, status }) => [name, status]),
      [["before.pdf", "ready"]],
    );
    assert.deepEqual(await filesBelow(data), before);

    await rm(filler);
    for (const path of ["/readyz", "/healthz"]) assert.equal((await look(path)).status, 200, path);
    assert.equal((await upload("after.pdf")).status, 202);
    assert.equal((await upload("refused.pdf")).status, 202);
    const documents = await settled(() => client.list(client.url));
    assert.deepEqual(
      documents.map(({ name, status }) => [name, status]),
      ["before.pdf", "after.pdf", "refused.pdf"].map((name) => [name, "ready"]),
    );
    // Checks a copy of the data folder, because the path of the database is different outside the
    // service. Nothing writes to the original any more.
    const copy = join(place.folder, "copy");
    await cp(data, copy, { recursive: true });
    assert.deepEqual(await problemsOf(place, copy), []);
  });

  test("an upload is acknowledged only after its file, the folder and the database are synced", {
    skip: noStrace,
  }, async () => {
    const client = await clientOf(service);
    await using watch = await strace([service.child.pid], "-e", "trace=fsync,fdatasync,write,writev,sendto,sendmsg");
    assert.equal((await client.upload(client.url, "a.pdf", sample)).status, 202);
    const calls = (await watch.end()).split("\n");
    const steps: [string, RegExp][] = [
      ["file", /f(data)?sync\(\d+<[^>]*\/data\/tmp\/[^>]+>/],
      ["folder", new RegExp(`f(data)?sync\\(\\d+<[^>]*/data/files/[^/>]+/${client.agent}>`)],
      ...stepsOfDatabase[dialect],
      ["answer", /(write|send)\w*\(.*HTTP\/1\.1 202/],
    ];
    let last = -1;
    for (const [what, pattern] of steps) {
      last = calls.findIndex((call, i) => i > last && pattern.test(call));
      assert.ok(last >= 0, `${what}\n${calls.join("\n")}`);
    }
  });

  test("if a file cannot be deleted with its agent, the response has a warning, the file is unreachable, and it is removed later", {
    skip: noStrace,
  }, async () => {
    const { agent, list, send, upload, url } = await clientOf(service);
    for (const name of ["a.pdf", "b.pdf"]) await upload(url, name, sample);
    const [document] = await settled(() => list(url));
    await using records = place.open();
    const { organization_id } = await records.db
      .selectFrom("agents")
      .select("organization_id")
      .where("id", "=", agent)
      .executeTakeFirstOrThrow();
    const stuck = `${document?.reference}.original`;
    const folder = join(place.data, "files", organization_id, agent);
    await using fault = await spoil(service.child.pid, "unlink,unlinkat", [join(folder, stuck)]);
    const answer = await send(url, "DELETE", `/v2/agents/${agent}`);
    assert.deepEqual(
      [answer.status, answer.body.data.warnings.map(({ code }: { code: string }) => code)],
      [200, ["documents_not_removed"]],
    );
    for (const [method, below, body] of [
      ["GET", `agents/${agent}`],
      ["GET", `agents/${agent}/documents`],
      ["DELETE", `agents/${agent}/documents/${document?.reference}`],
      ["POST", `knowledge/${agent}`, { query: "What is the total?" }],
    ] as const) {
      const { status, body: reply } = await send(url, method, `/v2/${below}`, body);
      assert.deepEqual([status, reply.code], [404, "agent_not_found"], below);
    }
    assert.ok((await readdir(folder)).includes(stuck));
    await fault.end();

    // Makes the delayed job due.
    await records.db.updateTable("jobs").set({ run_at: new Date().toISOString() }).execute();
    while ((await records.db.selectFrom("jobs").select("id").execute()).length > 0) await sleep(50);
    await assert.rejects(readdir(folder), { code: "ENOENT" });
    await using index = await openPassageIndex({ folder: join(place.data, "index") });
    assert.deepEqual([...(await index.documents(agent))], []);
    assert.deepEqual(await problemsOf(place), []);
  });

  test("if the disk fails to sync, the upload is refused and not listed", {
    skip: noStrace,
  }, async () => {
    const client = await clientOf(service);
    const faults: [string, string[]][] = [["everything", []]];
    if (dialect === "sqlite")
      faults.push(["database", ["sheaf.db", "sheaf.db-wal"].map((name) => join(place.data, name))]);
    for (const [what, paths] of faults) {
      await using broken = await spoil(service.child.pid, "fsync,fdatasync", paths);
      assertRefused(await client.upload(client.url, `${what}.pdf`, sample));
      assert.deepEqual(await client.list(client.url), []);
      await broken.end();
    }
    assert.equal((await client.upload(client.url, "whole.pdf", sample)).status, 202);
    const documents = await settled(() => client.list(client.url));
    assert.deepEqual(
      documents.map(({ name, status }) => [name, status]),
      [["whole.pdf", "ready"]],
    );
    // Restarts the service to check what is on the disk: refused uploads must not reappear.
    service.child.kill("SIGKILL");
    await service.finished;
    service = start(["serve"], place.settings);
    const url = await urlOf(service);
    assert.deepEqual(
      (await client.list(url)).map(({ name }) => name),
      ["whole.pdf"],
    );
    assert.deepEqual(await problemsOf(place), []);
  });
});
