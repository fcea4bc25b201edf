/**
 * Several processes that serve one installation over PostgreSQL and S3, each with its own data
 * folder, as if on separate machines. Two answer requests and three run jobs. `TEST_FAULTS` and
 * `TEST_UPLOADS` set the numbers of faults and uploads; `npm run chaos` uses larger numbers.
 */
import assert from "node:assert/strict";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { openS3Server } from "../../src/files/testing/s3-server.ts";
import { onePage } from "../../src/reading/testing/make-pdf.ts";
import { clientOf, placeOver, settled, urlOf } from "../helpers/killed-service.ts";
import { type Running, run, start } from "../helpers/process.ts";

const faults = Number(process.env.TEST_FAULTS ?? 8);
const uploads = Number(process.env.TEST_UPLOADS ?? 70);
/** Maximum time until all documents are ready on a busy machine, in milliseconds. */
const settleMs = 120_000;
/**
 * Time for which a process is stopped, in milliseconds. Longer than the lease of a job, so that
 * other workers take over its jobs.
 */
const stoppedMs = 22_000;
const faultKinds = ["kill", "store", "replace", "connections", "stop"] as const;

type Place = Awaited<ReturnType<typeof placeOver>>;
type Client = Awaited<ReturnType<typeof clientOf>>;

const codeOf = (i: number): string => `${7001 + 13 * i}`;
/** Returns a document whose text no other document contains. */
const paperOf = (i: number): Buffer =>
  Buffer.from(
    onePage(
      { text: `Instructions for warehouse number ${i}`, x: 60, y: 760, size: 16 },
      { text: `The access code of warehouse number ${i} is ${codeOf(i)}.`, x: 60, y: 720, size: 11 },
    ),
  );

const settingsOf = (here: Place, name: string, role: string) => ({
  ...here.settings,
  SHEAF_DATA_DIR: join(here.folder, name),
  SHEAF_KEYS_DIR: join(here.folder, "keys"),
  SHEAF_ROLE: role,
  SHEAF_READING_PROCESSES: "1",
});

/**
 * Simulates a machine: a process that can be killed and started again with the same data folder.
 */
class Machine implements AsyncDisposable {
  readonly settings: Record<string, string | undefined>;
  running: Running;
  url = "";

  constructor(here: Place, name: string, role: string) {
    this.settings = settingsOf(here, name, role);
    this.running = start(["serve"], this.settings);
  }

  async ready(): Promise<this> {
    this.url = await urlOf(this.running);
    return this;
  }

  async kill(): Promise<void> {
    this.running.child.kill("SIGKILL");
    await this.running.finished;
  }

  async restart(): Promise<void> {
    this.running = start(["serve"], this.settings);
    await this.ready();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/**
 * Repeats a question until the process answers it. While the process builds its index, it responds
 * with 503.
 */
async function ask({ agent, send }: Client, url: string, query: string) {
  for (const deadline = performance.now() + settleMs; ; await sleep(100)) {
    const { status, body } = await send(url, "POST", `/v2/knowledge/${agent}`, { query, include: ["citations"] });
    if (status === 200) return body;
    assert.equal(status, 503, JSON.stringify(body));
    assert.ok(performance.now() < deadline, "the question is not answered");
  }
}

async function assertFound(client: Client, url: string, i: number): Promise<void> {
  const body = await ask(client, url, `What is the access code of warehouse number ${i}?`);
  assert.match(JSON.stringify(body), new RegExp(`\\b${codeOf(i)}\\b`), `document ${i} is not found at ${url}`);
}

async function textIn(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(text)) found.push(path);
  }
  return found;
}

test(`${faults} faults during ${uploads} uploads to five processes: all documents are ready and found everywhere`, async (t) => {
  await using s3 = await openS3Server();
  await using here = await placeOver("postgres", s3.settings());
  await using first = await new Machine(here, "api-1", "api").ready();
  const client = await clientOf(first.running);
  await using second = await new Machine(here, "api-2", "api").ready();
  const apis = [first, second];
  await using stack = new AsyncDisposableStack();
  const workers: Machine[] = [];
  for (const name of ["worker-1", "worker-2", "worker-3"])
    workers.push(stack.use(await new Machine(here, name, "worker").ready()));

  const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] ?? assert.fail();
  let next = 0;
  const accepted = new Map<string, number>();
  const uploadAll = async () => {
    for (let i = next++; i < uploads; i = next++) {
      for (;;) {
        const answer = await client.upload(any(apis).url, `${i}.pdf`, paperOf(i)).catch(() => undefined);
        if (answer?.status === 202) accepted.set(answer.body.data.document_reference, i);
        else if (answer?.status === 409) accepted.set(answer.body.detail.document_reference, i);
        else {
          assert.ok(answer === undefined || answer.status === 503, JSON.stringify(answer));
          await sleep(50);
          continue;
        }
        break;
      }
      await sleep((faults * 400 * 3) / uploads);
    }
  };
  const uploading = Promise.all([uploadAll(), uploadAll(), uploadAll()]);
  await using opened = here.open();
  const happened: string[] = [];
  for (let i = 0; i < faults; i++) {
    await sleep(Math.random() * 900);
    const kind = faultKinds[i % faultKinds.length] ?? assert.fail();
    // Only workers are stopped, because a stopped process that answers requests would merely delay
    // this test.
    const victim = any(kind === "stop" ? workers : [...apis, ...workers]);
    happened.push(kind);
    if (kind === "connections")
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(opened.db);
    else if (kind === "store") {
      s3.fault = () => (Math.random() < 0.3 ? { status: 503 } : undefined);
      await sleep(2_000);
      s3.fault = () => undefined;
    } else if (kind === "stop") {
      victim.running.child.kill("SIGSTOP");
      await sleep(stoppedMs);
      victim.running.child.kill("SIGCONT");
    } else {
      await victim.kill();
      // A replaced machine starts with an empty folder.
      if (kind === "replace") await rm(victim.settings.SHEAF_DATA_DIR ?? "", { recursive: true });
      await victim.restart();
    }
  }
  await uploading;
  const listed = await settled(() => client.list(any(apis).url), settleMs);
  assert.deepEqual(
    listed.map(({ reference, status }) => [reference, status]).sort(),
    [...accepted.keys()].map((reference) => [reference, "ready"]).sort(),
  );
  assert.equal(listed.length, uploads);
  for (const { url } of apis) for (let i = 0; i < uploads; i += 7) await assertFound(client, url, i);
  t.diagnostic(`${listed.length} uploads; ${happened.join(", ")}`);

  // A worker stores no text of documents in its own folder.
  for (const { settings } of workers) assert.deepEqual(await readdir(join(settings.SHEAF_DATA_DIR ?? "", "tmp")), []);
  const health = await fetch(`${workers[0]?.url}/healthz`);
  const refused = await fetch(`${workers[0]?.url}/v2/agents`, { headers: { "x-api-key": client.token } });
  assert.deepEqual([health.status, refused.status], [200, 404]);

  // A document is found everywhere as soon as it is ready, and nowhere after it was deleted.
  const late = uploads + 1;
  const { body } = await client.upload(first.url, "late.pdf", paperOf(late));
  await settled(() => client.list(first.url), settleMs);
  for (const { url } of apis) await assertFound(client, url, late);
  const folders = apis.map(({ settings }) => join(settings.SHEAF_DATA_DIR ?? "", "index"));
  for (const folder of folders) assert.notDeepEqual(await textIn(folder, codeOf(late)), []);
  const of = `/v2/agents/${client.agent}/documents/${body.data.document_reference}`;
  assert.equal((await client.send(first.url, "DELETE", of)).status, 200);
  for (const { url } of apis) {
    const answer = await ask(client, url, `What is the access code of warehouse number ${late}?`);
    assert.doesNotMatch(JSON.stringify(answer.metadata ?? answer), new RegExp(`\\b${codeOf(late)}\\b`));
  }
  for (const deadline = performance.now() + 170_000; ; await sleep(1_000)) {
    const left = (await Promise.all(folders.map((folder) => textIn(folder, codeOf(late))))).flat();
    if (left.length === 0) break;
    assert.ok(performance.now() < deadline, `the deleted text is still in ${left.join(", ")}`);
  }
});

test("a process that shares only some of the parts of the installation refuses to start, and says which part is missing", async () => {
  await using here = await placeOver("postgres");
  const shared = { SHEAF_FILES_DIR: join(here.folder, "files") };
  const settings = { ...settingsOf(here, "first", "all"), ...shared };
  await using first = start(["serve"], settings);
  const client = await clientOf(first);
  const starts = [
    { SHEAF_FILES_DIR: join(here.folder, "other"), expected: /stored files.*other.*no mark of this installation/ },
    { SHEAF_KEYS_DIR: join(here.folder, "other-keys"), expected: /keys/ },
    { DATABASE_URL: undefined, expected: /DATABASE_URL must be set if SHEAF_ROLE is worker/ },
  ];
  for (const { expected, ...changes } of starts) {
    const refused = await run(["serve", "--role", "worker"], {
      ...settingsOf(here, `refused-${starts.length}`, "all"),
      ...shared,
      ...changes,
    });
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, expected);
  }
  await client.upload(client.url, "1.pdf", paperOf(1));
  await settled(() => client.list(client.url), settleMs);
  await assertFound(client, client.url, 1);
});
