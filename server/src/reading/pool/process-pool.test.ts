import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { pageText } from "../document.ts";
import { defaultReadingSettings, openReader } from "../open-reader.ts";
import { childrenOf, isAlive, until } from "../testing/child-processes.ts";
import { makePdf, onePage } from "../testing/make-pdf.ts";

import { failsWith, good, onlyChild, readsGood, save, slow, slowPage, withReader } from "../testing/pool-reader.ts";

withReader("thirty concurrent reads give thirty documents", { processes: 2 }, async (reader) => {
  await reader.warm();
  const paths = await Promise.all(
    Array.from({ length: 30 }, (_, index) => save(onePage({ text: `Document ${index}`, x: 100, y: 700 }))),
  );
  const documents = await Promise.all(paths.map((path) => reader.read(path, "pdf")));
  assert.deepEqual(
    documents.map((document) => document.pages.map(pageText)),
    paths.map((_, index) => [`Document ${index}`]),
  );
  assert.equal(childrenOf(process.pid).length, 2);
});

withReader(
  "a process that opens the file after all pages were read is free again",
  { processes: 2 },
  async (reader) => {
    await reader.warm();
    const pages = Array.from({ length: 8 }, (_, index) => ({ marks: [{ text: `Page ${index}`, x: 100, y: 700 }] }));
    // Opening this file takes longer than reading all of its pages.
    const path = await save(makePdf({ pages, info: { Note: "long".repeat(2_000_000) } }));
    for (let read = 0; read < 5; read++) assert.equal((await reader.read(path, "pdf")).pages.length, 8);
  },
);

withReader("pages are delivered as they are read", {}, async (reader) => {
  const pages = Array.from({ length: 5 }, (_, index) => ({ marks: [{ text: `Page ${index}`, x: 100, y: 700 }] }));
  const told: [number, number][] = [];
  await reader.read(await save(makePdf({ pages })), "pdf", { onProgress: (done, all) => told.push([done, all]) });
  assert.deepEqual(
    told,
    [1, 2, 3, 4, 5].map((done) => [done, 5]),
  );
});

withReader("refusals state their reason, and the process continues", {}, async (reader) => {
  await reader.warm();
  const child = onlyChild();
  await failsWith(reader.read(await save(Buffer.from("no PDF")), "pdf"), "corrupt");
  await failsWith(reader.read(await save(new Uint8Array()), "pdf"), "empty");
  await failsWith(reader.read(await save(makePdf({ pages: [{ marks: [] }], encrypted: true })), "pdf"), "encrypted");
  await readsGood(reader);
  assert.equal(onlyChild(), child);
});

withReader("idle processes are stopped, and the next read starts one", { restMs: 200 }, async (reader) => {
  await readsGood(reader);
  const child = onlyChild();
  await until(() => !isAlive(child));
  assert.ok(reader.isAlive(), "none is needed for that");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual(childrenOf(process.pid), [], "and none takes its place");
  await readsGood(reader);
  const { started, killed } = reader.load();
  assert.deepEqual({ started, killed }, { started: 2, killed: 0 });
});

withReader("a reading process is not stopped as idle, however long it takes", { restMs: 50 }, async (reader) => {
  const document = await reader.read(await save(makePdf({ pages: Array(3).fill(slowPage) })), "pdf");
  assert.equal(document.pages.length, 3);
  assert.equal(reader.load().started, 1);
});

withReader("a probe leaves no process behind", {}, async (reader) => {
  await reader.probe();
  await until(() => childrenOf(process.pid).length === 0);
  assert.ok(reader.isAlive());
});

withReader("a missing file is not an error of the document", {}, async (reader) => {
  await assert.rejects(reader.read("/missing.pdf", "pdf"), { code: "ENOENT" });
});

withReader("more pages than allowed are refused", { maxPages: 2 }, async (reader) => {
  const pages = Array.from({ length: 3 }, () => ({ marks: [{ text: "x", x: 100, y: 700 }] }));
  await failsWith(reader.read(await save(makePdf({ pages })), "pdf"), "too_complex");
});

withReader(
  "the deadline stops a read, not the reader",
  { deadlineMs: { base: 2_000, perPage: 0, perOcrPage: 0 } },
  async (reader) => {
    await reader.warm();
    const child = onlyChild();
    const slower = makePdf({ pages: Array(40).fill(slowPage) });
    await failsWith(reader.read(await save(slower), "pdf"), "timeout");
    await until(() => !isAlive(child));
    await reader.warm();
    await readsGood(reader);
  },
);

withReader("an abort rejects the read with its reason and kills the process", {}, async (reader) => {
  await reader.warm();
  const child = onlyChild();
  const controller = new AbortController();
  const reading = reader.read(await save(slow), "pdf", { signal: controller.signal });
  setTimeout(() => controller.abort(new Error("cancelled")), 50);
  await assert.rejects(reading, { message: "cancelled" });
  await until(() => !isAlive(child));
  await readsGood(reader);
});

withReader("a queued read can be aborted, and the others keep their order", {}, async (reader) => {
  const order: string[] = [];
  const controller = new AbortController();
  const path = await save(good);
  const readAs = (name: string, signal?: AbortSignal) =>
    reader.read(path, "pdf", signal && { signal }).then(() => order.push(name));
  const waiting = [readAs("first"), readAs("second", controller.signal), readAs("third"), readAs("fourth")];
  controller.abort(new Error("left the queue"));
  await assert.rejects(waiting[1] ?? assert.fail(), { message: "left the queue" });
  await Promise.all([waiting[0], waiting[2], waiting[3]]);
  assert.deepEqual(order, ["first", "third", "fourth"]);
});

withReader("foreground reads do not wait for background reads", {}, async (reader) => {
  await reader.warm();
  const path = await save(makePdf({ pages: Array(20).fill(slowPage) }));
  const stop = new AbortController();
  const options = { background: true, signal: stop.signal };
  const background = Array.from({ length: 2 }, () => reader.read(path, "pdf", options));
  let ended = 0;
  for (const reading of background) reading.finally(() => ended++).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 50));
  await readsGood(reader);
  assert.equal(ended, 0, "it had to wait");
  assert.equal(childrenOf(process.pid).length, 2);
  stop.abort();
  await Promise.allSettled(background);
  await until(() => childrenOf(process.pid).length <= 1);
  await readsGood(reader);
});

withReader("an aborted signal starts nothing", {}, async (reader) => {
  const signal = AbortSignal.abort(new Error("too late"));
  await assert.rejects(reader.read(await save(good), "pdf", { signal }), { message: "too late" });
  assert.deepEqual(childrenOf(process.pid), []);
});

test("close rejects running and queued reads", async () => {
  const reader = openReader({ ...defaultReadingSettings, processes: 1 });
  await reader.warm();
  const path = await save(slow);
  const readings = [reader.read(path, "pdf"), reader.read(path, "pdf")];
  const settled = Promise.allSettled(readings);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await reader.close();
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ["rejected", "rejected"],
  );
  await assert.rejects(reader.read(path, "pdf"), /closed/);
  assert.deepEqual(childrenOf(process.pid), []);
});

const program = (body: string): string[] => [
  "--input-type=module",
  "--eval",
  `import { defaultReadingSettings, openReader } from ${JSON.stringify(fileURLToPath(import.meta.resolve("../open-reader.ts")))};
   const reader = openReader({ ...defaultReadingSettings, processes: 2 });
   await reader.warm();
   ${body}`,
];

test("after close nothing keeps the program alive", async () => {
  const path = await save(good);
  const child = spawn(
    process.execPath,
    program(`await reader.read(${JSON.stringify(path)}, "pdf"); await reader.close();`),
  );
  const [code] = await new Promise<[number | null]>((resolve) => child.on("close", (...ended) => resolve([ended[0]])));
  assert.equal(code, 0);
});

test("when the service is killed its processes exit", async () => {
  const host = spawn(process.execPath, program("process.stdout.write('ready'); setInterval(() => {}, 1000);"));
  await new Promise((resolve) => host.stdout.once("data", resolve));
  const children = childrenOf(host.pid ?? 0);
  assert.equal(children.length, 2);
  host.kill("SIGKILL");
  await until(() => !children.some(isAlive));
});

withReader("a reading process can open no file and sees no environment", {}, async (reader) => {
  process.env.SHEAF_TEST_SECRET = "secret";
  await reader.warm();
  const { readFileSync, readlinkSync } = await import("node:fs");
  const child = onlyChild();
  assert.doesNotMatch(readFileSync(`/proc/${child}/environ`, "latin1"), /SECRET|PATH=/);
  assert.equal(readlinkSync(`/proc/${child}/cwd`), "/");
  assert.match(readFileSync(`/proc/${child}/cmdline`, "latin1"), /--permission/);
  assert.match(readFileSync(`/proc/${child}/limits`, "latin1"), /Max data size\s+1342177280/);
  assert.match(readFileSync(`/proc/${child}/limits`, "latin1"), /Max cpu time\s+10000/);
  delete process.env.SHEAF_TEST_SECRET;
});
