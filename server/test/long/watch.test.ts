/** The watched folder with real processes, killed at any time, and a whole service. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onePage } from "../../src/reading/testing/make-pdf.ts";
import { corpusOf } from "../helpers/corpus.ts";
import { type Finished, type Folder, type Running, run, start, temporaryFolder } from "../helpers/process.ts";
import { openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";

const invoiceOf = (number: string) =>
  onePage(
    { text: "INVOICE", x: 72, y: 760 },
    { text: "Invoice number:", x: 72, y: 700 },
    { text: number, x: 220, y: 700 },
  );
const params = [{ name: "number", format: "text", description: "Number of the invoice", items: [] }];

describe("sheaf watch", { timeout: 175_000 }, () => {
  let service: TestService;
  let organization: TestOrganization;
  let agent: string;
  let folder: Folder;
  before(async () => {
    service = await openTestService("sqlite");
    organization = await service.organization("Watching");
    agent = await corpusOf(service, organization).makeAgent("EXTRACTOR", { params });
    folder = await temporaryFolder();
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const settings = (url = service.url) => {
    const { clientId: SHEAF_CLIENT_ID, clientSecret: SHEAF_CLIENT_SECRET } = organization.administrator;
    return { SHEAF_URL: url, SHEAF_CLIENT_ID, SHEAF_CLIENT_SECRET };
  };
  const makeFolder = async (name: string): Promise<string> => {
    const path = join(folder.path, name);
    await mkdir(path);
    return path;
  };
  const watching = async (path: string, args: string[] = [], url?: string): Promise<Running> => {
    const running = start(["watch", path, "--agent", agent, ...args], settings(url));
    await running.printed(/^Watching /m);
    return running;
  };
  const stopped = async ({ child, finished }: Running): Promise<Finished> => {
    child.kill("SIGTERM");
    const ended = await finished;
    assert.equal(ended.code, 0, ended.stderr);
    return ended;
  };
  const resultOf = async (path: string) => JSON.parse(await readFile(path, "utf8"));
  const namesIn = async (path: string) => (await readdir(path).catch(() => [])).sort();
  /** Waits until the folder has at least `count` entries, and returns their names. */
  const filled = async (path: string, count: number): Promise<string[]> => {
    for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
      const names = await namesIn(path);
      if (names.length >= count) return names;
      assert.ok(Date.now() < deadline, `${path} has only ${names.join(", ")}`);
    }
  };
  const extractions = async (): Promise<number> =>
    (await service.db.selectFrom("extractions").select("id").execute()).length;

  test("a complete file is moved with its result; incomplete, temporary and other files stay", async () => {
    const path = await makeFolder("complete");
    await using watcher = await watching(path, ["--evidence"]);
    await writeFile(join(path, "notes.txt"), "no document");
    await writeFile(join(path, ".~lock.a.pdf"), invoiceOf("L-1"));
    await writeFile(join(path, "~$b.docx"), "lock");
    await writeFile(join(path, "empty.pdf"), "");
    await writeFile(join(path, "a.pdf"), invoiceOf("A-17"));
    const slow = invoiceOf("S-18");
    for (let at = 0; at < slow.length; at += slow.length / 5) {
      await appendFile(join(path, "slow.pdf"), slow.subarray(at, at + slow.length / 5));
      await sleep(900);
    }
    assert.deepEqual(await filled(join(path, "done"), 4), ["a.pdf", "a.pdf.json", "slow.pdf", "slow.pdf.json"]);
    const result = await resultOf(join(path, "done/a.pdf.json"));
    assert.deepEqual([result.status, result.data], ["success", [{ number: "A-17" }]]);
    assert.equal(result.metadata.evidence[0].number.quote, "A-17");
    assert.deepEqual([result.source.name, result.source.size], ["a.pdf", invoiceOf("A-17").length]);
    assert.deepEqual((await resultOf(join(path, "done/slow.pdf.json"))).data, [{ number: "S-18" }]);
    assert.ok((await readFile(join(path, "done/slow.pdf"))).equals(slow));
    const left = (await namesIn(path)).filter((name) => !name.startsWith(".sheaf-watch.lock"));
    assert.deepEqual(left, [...[".~lock.a.pdf", "done", "empty.pdf", "failed", "notes.txt", "~$b.docx"]]);
    const { stdout, stderr } = await stopped(watcher);
    for (const name of ["a", "slow"]) assert.match(stdout, new RegExp(`^${name}\\.pdf: done$`, "m"));
    assert.equal(stderr, "sheaf: notes.txt stays: only pdf, png, jpg, jpeg, docx, xlsx files are sent.\n");
  });

  test("no file and no result is replaced by another one of the same name", async (t) => {
    const path = await makeFolder("same-name");
    // On a different file system, so moving a file there copies it instead of renaming it.
    const shared = await mkdtemp("/dev/shm/sheaf-test-");
    t.after(() => rm(shared, { recursive: true }));
    assert.notEqual((await stat(shared)).dev, (await stat(path)).dev);
    const done = join(shared, "done");
    await using watcher = await watching(path, ["--done", done]);
    for (const [index, number] of ["N-1", "N-2", "N-2"].entries()) {
      await writeFile(join(path, "a.pdf"), invoiceOf(number));
      await filled(done, 2 * (index + 1));
    }
    const names = ["a (2).pdf", "a (3).pdf", "a.pdf"];
    assert.deepEqual(
      await namesIn(done),
      names.flatMap((name) => [name, `${name}.json`]),
    );
    const results = await Promise.all(names.map((name) => resultOf(join(done, `${name}.json`))));
    assert.deepEqual(
      results.map(({ data }) => data[0].number),
      ["N-2", "N-2", "N-1"],
    );
    assert.deepEqual(results[0].extract_id, results[1].extract_id, "the same content has the same key");
    await stopped(watcher);
  });

  test("a file that fails is moved with its error, and is processed again when it is put back", async () => {
    const path = await makeFolder("broken");
    await using watcher = await watching(path);
    await writeFile(join(path, "broken.pdf"), "no PDF");
    await filled(join(path, "failed"), 2);
    const first = await resultOf(join(path, "failed/broken.pdf.json"));
    assert.deepEqual([first.status, first.code], ["error", "extraction_failed"]);
    await rename(join(path, "failed/broken.pdf"), join(path, "broken.pdf"));
    await filled(join(path, "failed"), 2);
    const second = await resultOf(join(path, "failed/broken.pdf.json"));
    assert.equal(second.code, "extraction_failed");
    assert.notEqual(second.extract_id, first.extract_id);
    assert.deepEqual(await namesIn(join(path, "failed")), ["broken.pdf", "broken.pdf.json"]);
    const { stderr } = await stopped(watcher);
    assert.match(stderr, /^(sheaf: broken\.pdf: failed: .* \(extraction_failed\)\n){2}$/);
  });

  test("after kill -9 at any time, nothing is lost and nothing is done twice", async (t) => {
    const path = await makeFolder("killed");
    const before = await extractions();
    const count = 10;
    for (let index = 0; index < count; index++)
      await writeFile(join(path, `file-${index}.pdf`), invoiceOf(`K-${100 + index}`));
    let kills = 0;
    for (; (await namesIn(path)).some((name) => name.endsWith(".pdf")); kills++) {
      const watcher = await watching(path);
      // After 2 s, the watcher considers the files complete. From then on, it performs a step every
      // few milliseconds.
      await sleep(2_000 + Math.random() * 600);
      await watcher[Symbol.asyncDispose]();
    }
    t.diagnostic(`killed ${kills} times`);
    assert.ok(kills > 2);
    const names = Array.from({ length: count }, (_, index) => `file-${index}.pdf`);
    await using last = await watching(path);
    assert.deepEqual(await namesIn(join(path, "done")), names.flatMap((name) => [name, `${name}.json`]).sort());
    assert.deepEqual(await namesIn(join(path, "failed")), []);
    for (const [index, name] of names.entries()) {
      const { data } = await resultOf(join(path, `done/${name}.json`));
      assert.deepEqual(data, [{ number: `K-${100 + index}` }], name);
      assert.ok((await readFile(join(path, `done/${name}`))).equals(invoiceOf(`K-${100 + index}`)), name);
    }
    assert.equal((await extractions()) - before, count);
    await stopped(last);
  });

  test("if a crash prevents the move of a file whose result was written, the file is moved and not processed again", async () => {
    const path = await makeFolder("half");
    await using first = await watching(path);
    await writeFile(join(path, "a.pdf"), invoiceOf("H-1"));
    await filled(join(path, "done"), 2);
    await stopped(first);
    const before = await extractions();
    // Simulates a crash after the result was written and before the file was moved.
    await rename(join(path, "done/a.pdf"), join(path, "a.pdf"));
    const result = await resultOf(join(path, "done/a.pdf.json"));
    const { ctimeNs } = await stat(join(path, "a.pdf"), { bigint: true });
    const stored = { ...result, mark: "kept", source: { ...result.source, changed: String(ctimeNs) } };
    await writeFile(join(path, "done/a.pdf.json"), JSON.stringify(stored));
    await writeFile(join(path, "done/.b.pdf.json.partial"), "{");
    await using second = await watching(path);
    await filled(join(path, "done"), 2);
    assert.deepEqual(await namesIn(join(path, "done")), ["a.pdf", "a.pdf.json"]);
    assert.equal((await resultOf(join(path, "done/a.pdf.json"))).mark, "kept");
    assert.equal(await extractions(), before);
    await stopped(second);
  });

  test("waits while the service is busy, and handles files that are renamed or changed meanwhile correctly", async () => {
    const path = await makeFolder("busy");
    const times: number[] = [];
    let isBusy = true;
    await using proxy = await proxyTo(service.url, async (url, response) => {
      if (!url.startsWith("/v2/extractor/async/") || !isBusy) return false;
      times.push(Date.now());
      response.writeHead(times.length % 2 === 1 ? 503 : 429, {
        "retry-after": "2",
        "content-type": "application/json",
      });
      response.end('{"status":"error","code":"agent_unavailable","error":"The agent is not available."}');
      return true;
    });
    await using watcher = await watching(path, [], proxy.url);
    await writeFile(join(path, "old-name.pdf"), invoiceOf("B-1"));
    await writeFile(join(path, "changed.pdf"), invoiceOf("B-2"));
    while (times.length < 2) await sleep(20);
    await rename(join(path, "old-name.pdf"), join(path, "new-name.pdf"));
    await writeFile(join(path, "changed.pdf"), invoiceOf("B-3-changed"));
    isBusy = false;
    assert.deepEqual(await filled(join(path, "done"), 4), [
      ...["changed.pdf", "changed.pdf.json", "new-name.pdf", "new-name.pdf.json"],
    ]);
    assert.deepEqual((await resultOf(join(path, "done/new-name.pdf.json"))).data, [{ number: "B-1" }]);
    assert.deepEqual((await resultOf(join(path, "done/changed.pdf.json"))).data, [{ number: "B-3-changed" }]);
    const { stderr } = await stopped(watcher);
    assert.match(stderr, /^sheaf: The agent is not available\. \(agent_unavailable\) Retrying in 2 s\.$/m);
    const first = times[0] as number;
    assert.ok(
      times.every((time) => time - first < 1_000 || time - first >= 1_990),
      times.map((time) => time - first).join(),
    );
  });

  test("with --corpus, files become documents", async () => {
    const path = await makeFolder("corpus");
    const corpus = corpusOf(service, organization);
    const reference = await corpus.makeAgent();
    const { SHEAF_CLIENT_ID: _, SHEAF_CLIENT_SECRET: __, ...url } = settings();
    const SHEAF_TOKEN = organization.administrator.token;
    await using watcher = start(["watch", path, "--corpus", "--agent", reference], { ...url, SHEAF_TOKEN });
    await watcher.printed(/^Watching /m);
    await writeFile(join(path, "a.pdf"), invoiceOf("C-1"));
    await writeFile(join(path, "broken.pdf"), "no PDF");
    await filled(join(path, "done"), 2);
    await filled(join(path, "failed"), 2);
    const { status, data } = await resultOf(join(path, "done/a.pdf.json"));
    assert.deepEqual([status, data.name, data.status], ["success", "a.pdf", "ready"]);
    assert.equal((await resultOf(join(path, "failed/broken.pdf.json"))).code, "ingestion_failed");
    await writeFile(join(path, "a.pdf"), invoiceOf("C-2"));
    await filled(join(path, "failed"), 4);
    assert.equal((await resultOf(join(path, "failed/a.pdf.json"))).code, "document_already_exists");
    assert.equal((await corpus.list(reference)).filter(({ name }) => name === "a.pdf").length, 1);
    await stopped(watcher);
  });

  test("if it cannot work, the error message says why, and no file is touched", async () => {
    const path = await makeFolder("wrong");
    await writeFile(join(path, "a.pdf"), invoiceOf("W-1"));
    const corpus = await corpusOf(service, organization).makeAgent();
    const of = (args: string[], environment: Record<string, string> = settings()) =>
      run(["watch", path, ...args], environment);
    const attempts: [string[], Record<string, string>, RegExp][] = [
      [["--agent", agent], { ...settings(), SHEAF_CLIENT_SECRET: "wrong" }, /\(invalid_client\)/],
      [["--agent", "00000000-0000-7000-8000-000000000000"], settings(), /\(agent_not_found\)/],
      [["--agent", corpus], settings(), /is of type DOCUMENTALIST\. Use an extractor, or --corpus\./],
      [["--agent", agent, "--corpus"], settings(), /is of type EXTRACTOR\. A corpus belongs to a documentalist\./],
      [["--agent", agent, "--done", path], settings(), /is the watched folder: choose another one/],
      [["--agent", agent], {}, /Set the URL of the service with --url or SHEAF_URL/],
      [["--agent", agent, "--url", service.url], {}, /Set SHEAF_CLIENT_ID and SHEAF_CLIENT_SECRET, or SHEAF_TOKEN/],
    ];
    for (const [args, environment, expected] of attempts) {
      const { code, stdout, stderr } = await of(args, environment);
      assert.deepEqual([code, stdout], [1, ""], stderr);
      assert.match(stderr, expected);
      assert.equal(stderr.split("\n").length, 2, stderr);
    }
    assert.ok((await namesIn(path)).includes("a.pdf"));
    const away = start(["watch", path, "--agent", agent], settings("http://127.0.0.1:1"));
    await once(away.child.stderr ?? assert.fail(), "data");
    assert.match((await stopped(away)).stderr, /^(sheaf: .* \(connection_failed\) Retrying in \d+ s\.\n)+$/);
    await using watcher = await watching(path);
    const second = await of(["--agent", agent]);
    assert.match(second.stderr, /^sheaf: Another process watches .*wrong\.\n$/);
    await stopped(watcher);
  });
});

/**
 * Starts a proxy to `target`. `refuse` may respond to a request itself; all other requests are
 * forwarded.
 */
async function proxyTo(target: string, refuse: (url: string, response: ServerResponse) => Promise<boolean>) {
  const forward = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { url = "", method, headers } = incoming;
    if (await refuse(url, response)) return void incoming.resume();
    const outgoing = request(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer((incoming, response) => void forward(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
