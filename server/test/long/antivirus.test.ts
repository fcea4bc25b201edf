/**
 * Uploads with an antivirus. Infected files leave nothing behind, and no file is accepted unless it
 * was scanned.
 */
import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { limits, megabyte } from "@sheaf/contract/limits.ts";
import { eicar } from "../../src/antivirus/self-test.ts";
import {
  type ClamdDaemon,
  highLimits,
  openClamdDaemon,
  withoutClamd,
} from "../../src/antivirus/testing/clamd-daemon.ts";
import { type Behaviour, openClamdServer } from "../../src/antivirus/testing/clamd-server.ts";
import { readConfig } from "../../src/config.ts";
import { makeDocx } from "../../src/reading/testing/make-office.ts";
import type { Db } from "../../src/records/records.ts";
import { corpusOf, sample, sampleBase64 } from "../helpers/corpus.ts";
import { describeOverDatabases, describeSideBySide } from "../helpers/databases.ts";
import { clientOf, placeOver } from "../helpers/killed-service.ts";
import { run, start } from "../helpers/process.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";

const params = [{ name: "invoice_number", format: "text", description: "Number of the invoice" }];
const base64 = (...parts: Uint8Array[]): string => Buffer.concat(parts).toString("base64");
const infectedDocx = makeDocx({ body: "<w:p/>", others: { "word/media/image1.bin": eicar } });

/** Sends a file to every endpoint that accepts one. */
async function endpointsOf(service: TestService, organization: TestOrganization) {
  const { send, makeAgent } = corpusOf(service, organization);
  const documentalist = await makeAgent();
  const extractor = await makeAgent("EXTRACTOR", { params: params.map((param) => ({ ...param, items: [] })) });
  const post = (path: string, more: object) => (filename: string, file: string, headers?: Record<string, string>) => {
    const body = JSON.stringify({ filename, ...more }).replace(/\}$/, `,"file":"${file}"}`);
    return organization.administrator.send("POST", path, body, headers);
  };
  const document = post(`/v2/agents/${documentalist}/documents`, {});
  return {
    send,
    document,
    all: [
      document,
      post("/v2/extractor", { params }),
      post(`/v2/extractor/${extractor}`, {}),
      post("/v2/extractor/async", { params, callback: "https://example.com/" }),
      post(`/v2/extractor/async/${extractor}`, { callback: "https://example.com/" }),
      post("/v2/classification/async", {}),
    ],
  };
}

/** Returns the rows and files that uploads have left behind. */
async function remains(db: Db, data: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ["tmp", "files"])
    for (const entry of await readdir(join(data, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && entry.name !== ".installation") found.push(join(entry.parentPath, entry.name));
  for (const table of ["documents", "operations", "jobs", "threads", "extractions"] as const)
    found.push(...(await db.selectFrom(table).select("id").execute()).map(({ id }) => `${table} ${id}`));
  return found;
}

async function becomes(status: number, attempt: () => Promise<Answer>): Promise<void> {
  for (const until = performance.now() + 60_000; ; await sleep(100)) {
    const answer = await attempt();
    if (answer.status === status) return;
    assert.ok(performance.now() < until, JSON.stringify(answer.body));
  }
}

function assertUnavailable({ status, body, headers }: Answer): void {
  assert.deepEqual([status, body.code, body.detail], [503, "antivirus_unavailable", undefined], JSON.stringify(body));
  assert.match(headers.get("retry-after") ?? "", /^\d+$/);
}

describe("files and the real clamd", { skip: withoutClamd }, () => {
  let clamd: ClamdDaemon;
  before(async () => {
    clamd = await openClamdDaemon();
  });
  after(() => clamd[Symbol.asyncDispose]());

  describeOverDatabases("at every endpoint", (dialect) => {
    test("infected files are refused and leave nothing behind, others are accepted", async () => {
      await using service = await openTestService(dialect, { SHEAF_ANTIVIRUS: clamd.url });
      const { all, document, send } = await endpointsOf(service, await service.organization("A"));
      const infected: [name: string, file: string][] = [
        ["plain.pdf", base64(eicar)],
        ["appended.pdf", base64(sample, eicar)],
        ["packed.docx", base64(infectedDocx)],
      ];
      for (const post of all)
        for (const [name, file] of infected) {
          const { status, body } = await post(name, file);
          assert.deepEqual([status, body.code, body.detail], [422, "infected_file", undefined], name);
          assert.ok(!JSON.stringify(body).includes("Eicar"));
        }
      const key = { "idempotency-key": "one" };
      for (let count = 0; count < 2; count++) assert.equal((await document("a.pdf", base64(eicar), key)).status, 422);
      assert.deepEqual(await remains(service.db, service.config.dataDir), []);
      for (const [index, post] of all.entries()) {
        const { status, body } = await post("a.pdf", sampleBase64);
        assert.equal(status, index === 0 ? 202 : 200, JSON.stringify(body));
      }
      await becomes(200, () => send("GET", "/readyz"));
      assert.equal((await send("GET", "/readyz")).body.data.antivirus, "ok");
    });
  });

  test("a file of the maximum size is scanned completely", async () => {
    await using place = await placeOver("sqlite", { SHEAF_ANTIVIRUS: clamd.url });
    await using service = start(["serve"], place.settings);
    const { url, upload } = await clientOf(service);
    const padding = Buffer.alloc(limits.maxDocumentFileBytes - eicar.length);
    for (const file of [Buffer.concat([padding, eicar]), Buffer.concat([eicar, padding])])
      assert.equal((await upload(url, "large.pdf", file)).body.code, "infected_file");
    await using records = place.open();
    assert.deepEqual(await remains(records.db, place.data), []);
    assert.equal((await upload(url, "clean.pdf", Buffer.alloc(limits.maxDocumentFileBytes))).status, 202);
  });

  for (const limit of ["StreamMaxLength", "MaxFileSize"])
    test(`if clamd's ${limit} is too low, the service is not ready and accepts no file that clamd would not scan completely`, async () => {
      await using low = await openClamdDaemon({ ...highLimits, [limit]: "25M" }, "asFile");
      await using service = await openTestService("sqlite", { SHEAF_ANTIVIRUS: low.url });
      const { document, send } = await endpointsOf(service, await service.organization("A"));
      const large = base64(Buffer.alloc(26 * megabyte));
      assertUnavailable(await document("large.pdf", large));
      const ready = await send("GET", "/readyz");
      assert.deepEqual([ready.status, ready.body.error], [503, "Down: antivirus."]);
      assert.deepEqual(await remains(service.db, service.config.dataDir), []);
      assert.equal((await document("small.pdf", sampleBase64)).status, 202);
      await low.stop();
      await low.start(highLimits);
      await becomes(202, () => document("large.pdf", large));
      await becomes(200, () => send("GET", "/readyz"));
    });

  test("the commands serve, doctor and ingest use the antivirus", async () => {
    await using place = await placeOver("sqlite", { SHEAF_ANTIVIRUS: clamd.url, SHEAF_LOG_LEVEL: "warn" });
    const service = start(["serve"], place.settings);
    try {
      const { agent, upload, url } = await clientOf(service);
      assert.equal((await upload(url, "a.pdf", eicar)).status, 422);
      const documents = join(place.folder, "documents");
      await mkdir(documents);
      await writeFile(join(documents, "clean.pdf"), sample);
      await writeFile(join(documents, "infected.pdf"), eicar);
      const ingested = await run(["ingest", documents, "--agent", agent], place.settings);
      assert.equal(ingested.code, 1);
      assert.match(ingested.stdout, /^refused {2}infected\.pdf: The antivirus rejected the file\.$/m);
      assert.match(ingested.stdout, /^ready {4}clean\.pdf: /m);
      const well = await run(["doctor"], place.settings);
      assert.match(well.stdout, /^ok {4}antivirus: clamd finds the EICAR test file/m);
    } finally {
      service.child.kill("SIGTERM");
    }
    const { stdout, stderr } = await service.finished;
    assert.ok(!stdout.includes("not scanned for viruses"));
    assert.match(stderr, /"code":"infected_file"/);
    assert.match(stderr, /clamd found Eicar-Test-Signature/);
  });
});

describeSideBySide("uploads and a failing clamd", (dialect) => {
  test("without a scan result no file is accepted, and uploads work again as soon as clamd does", async () => {
    await using clamd = await openClamdServer();
    const { port } = clamd;
    await using service = await openTestService(dialect, {
      SHEAF_ANTIVIRUS: `clamd://127.0.0.1:${port}`,
      SHEAF_ANTIVIRUS_TIMEOUT_SECONDS: "5",
    });
    const { all, document, send } = await endpointsOf(service, await service.organization("A"));
    await becomes(200, () => send("GET", "/readyz"));
    const refusesAll = async (posts: typeof all) => {
      const startedAt = performance.now();
      const sent = posts.map((post, index) => post("a.pdf", sampleBase64, { "idempotency-key": `key-${index}` }));
      for (const answer of await Promise.all(sent)) assertUnavailable(answer);
      const tookMs = performance.now() - startedAt;
      // Allows 5 s in addition to the timeout, which is 5 s here. A refusal with the default
      // timeout of 15 s therefore takes less than 20 s.
      assert.ok(tookMs < 5_000 + 5_000, `${tookMs} ms`);
      const ready = await send("GET", "/readyz");
      assert.deepEqual([ready.status, ready.body.error], [503, "Down: antivirus."]);
      assert.equal((await send("GET", "/healthz")).status, 200);
      assert.deepEqual(await remains(service.db, service.config.dataDir), []);
    };
    for (const behaviour of ["hang", "closeEarly", "closeLate", "error"] satisfies Behaviour[]) {
      clamd.behaviour = behaviour;
      await refusesAll(all);
      clamd.behaviour = "work";
      await becomes(200, () => send("GET", "/readyz"));
    }
    await clamd[Symbol.asyncDispose]();
    await refusesAll(all);
    await using _again = await openClamdServer("work", port);
    await becomes(202, () => document("a.pdf", sampleBase64, { "idempotency-key": "key-0" }));
  });
});

test("a hundred concurrent uploads to a hanging clamd leave no open connection and no file behind", async () => {
  await using clamd = await openClamdServer();
  await using service = await openTestService("sqlite", {
    SHEAF_ANTIVIRUS: `clamd://127.0.0.1:${clamd.port}`,
    SHEAF_ANTIVIRUS_TIMEOUT_SECONDS: "5",
  });
  const { document, send } = await endpointsOf(service, await service.organization("A"));
  await becomes(200, () => send("GET", "/readyz"));
  clamd.behaviour = "hang";
  let [answered, mostFiles, mostScans] = [false, 0, 0];
  const uploads = Promise.all(Array.from({ length: 100 }, (_, index) => document(`${index}.pdf`, sampleBase64)));
  uploads.finally(() => {
    answered = true;
  });
  for (; !answered; await sleep(20)) {
    mostFiles = Math.max(mostFiles, (await readdir(join(service.config.dataDir, "tmp"))).length);
    mostScans = Math.max(mostScans, clamd.open());
  }
  const answers = await uploads;
  // A busy machine may refuse some of the uploads by load shedding.
  const busy = answers.filter(({ body }) => body.code === "agent_unavailable");
  for (const answer of answers) if (!busy.includes(answer)) assertUnavailable(answer);
  assert.ok(mostFiles > 50, `at most ${mostFiles} files waited for their scan`);
  assert.ok(mostScans >= 8, `at most ${mostScans} were scanned at once`);
  assert.deepEqual(await remains(service.db, service.config.dataDir), []);
  clamd.behaviour = "work";
  await becomes(202, () => document("a.pdf", sampleBase64));
  for (const until = performance.now() + 5_000; clamd.open() > 0; await sleep(20))
    assert.ok(performance.now() < until, `${clamd.open()} connections are open`);
});

test("the setting accepts a socket, a host with its port, or nothing, and a response takes less than 20 seconds", () => {
  const antivirusOf = (value?: string) => readConfig(value === undefined ? {} : { SHEAF_ANTIVIRUS: value }).antivirus;
  assert.deepEqual(antivirusOf(), { clamd: undefined, timeoutMs: 15_000 });
  assert.deepEqual(antivirusOf("none").clamd, undefined);
  assert.deepEqual(antivirusOf("clamd:///run/clamav/clamd.ctl").clamd, { path: "/run/clamav/clamd.ctl" });
  assert.deepEqual(antivirusOf("clamd://clamav").clamd, { host: "clamav", port: 3310 });
  assert.deepEqual(antivirusOf("clamd://[::1]:3311").clamd, { host: "::1", port: 3311 });
  for (const wrong of ["clamav", "clamd://", "clamd:///", "clamd://a:0", "clamd://a:65536", "tcp://a:1", "clamd://a/b"])
    assert.throws(() => antivirusOf(wrong), { message: /^SHEAF_ANTIVIRUS must be none, clamd:\/\/host:port or / });
});

test("a service that has no antivirus reports that", async () => {
  await using place = await placeOver("sqlite");
  const service = start(["serve"], place.settings);
  await service.printed(/^Files are not scanned for viruses: SHEAF_ANTIVIRUS is none\.$/m);
  service.child.kill("SIGTERM");
  await service.finished;
  const { stdout } = await run(["doctor"], place.settings);
  assert.match(stdout, /^ok {4}antivirus: none, files are not scanned for viruses; SHEAF_ANTIVIRUS sets one$/m);
});
