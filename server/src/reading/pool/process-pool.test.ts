import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Page, pageText } from "../document.ts";
import { defaultReadingSettings, openReader } from "../open-reader.ts";
import type { ProcessReader } from "../reader.ts";
import { ReadingError, type ReadingFailure, ReadingInterrupted, type ReadingSettings } from "../reader.ts";
import { childrenOf, cpuTicksOf, isAlive, until } from "../testing/child-processes.ts";
import { makePdf, onePage } from "../testing/make-pdf.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "reading-"));
});
after(() => rm(folder, { recursive: true }));

let files = 0;
async function save(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${files++}.pdf`);
  await writeFile(path, bytes);
  return path;
}

const good = onePage({ text: "Hello", x: 100, y: 700 });
/** Enough text that reading it takes half a second. */
const slowPage = {
  marks: [{ raw: `BT /F0 8 Tf 40 800 Td ${"(slow words here) Tj 0 -0.01 Td ".repeat(60_000)} ET` }],
  compressed: true,
};
const slow = makePdf({ pages: [slowPage] });

/** Runs a test with its own reader, which is closed afterwards. */
function withReader(
  name: string,
  settings: Partial<ReadingSettings>,
  body: (reader: ProcessReader) => Promise<void>,
): void {
  test(name, async () => {
    const reader = openReader({ ...defaultReadingSettings, processes: 1, ...settings });
    try {
      await body(reader);
    } finally {
      await reader.close();
      assert.deepEqual(childrenOf(process.pid), []);
    }
  });
}

const failsWith = (reading: Promise<unknown>, reason: ReadingFailure) =>
  assert.rejects(reading, (error) => error instanceof ReadingError && error.reason === reason);

async function readsGood(reader: ProcessReader): Promise<void> {
  const document = await reader.read(await save(good), "pdf");
  assert.deepEqual(document.pages.map(pageText), ["Hello"]);
}

const onlyChild = (): number => childrenOf(process.pid)[0] ?? assert.fail("no reading process");

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
    // Opening takes longer than reading all pages.
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
  await assert.rejects(reader.read(join(folder, "missing.pdf"), "pdf"), { code: "ENOENT" });
});

withReader("more pages than allowed are refused", { maxPages: 2 }, async (reader) => {
  const pages = Array.from({ length: 3 }, () => ({ marks: [{ text: "x", x: 100, y: 700 }] }));
  await failsWith(reader.read(await save(makePdf({ pages })), "pdf"), "too_complex");
});

withReader(
  "the deadline stops a read, not the reader",
  { deadlineMs: { base: 500, perPage: 0, perOcrPage: 0 } },
  async (reader) => {
    await reader.warm();
    const child = onlyChild();
    const slower = makePdf({ pages: Array(12).fill(slowPage) });
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
  const path = await save(makePdf({ pages: Array(60).fill(slowPage) }));
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

withReader("a process killed from outside loses no document", {}, async (reader) => {
  await reader.warm();
  const slowPath = await save(slow);
  const killed = reader.read(slowPath, "pdf");
  const next = save(good).then((path) => reader.read(path, "pdf"));
  setTimeout(() => process.kill(onlyChild(), "SIGKILL"), 50);
  assert.ok((await killed).pages.length > 0);
  assert.deepEqual((await next).pages.map(pageText), ["Hello"]);
  // A background read gets the error, so that its job can retry with care.
  const interrupted = reader.read(slowPath, "pdf", { background: true });
  setTimeout(() => process.kill(onlyChild(), "SIGKILL"), 50);
  await assert.rejects(interrupted, ReadingInterrupted);
});

withReader("a process that crashes fails its document only", {}, async (reader) => {
  await reader.warm();
  const failed = reader.read(await save(slow), "pdf");
  const next = save(good).then((path) => reader.read(path, "pdf"));
  setTimeout(() => process.kill(onlyChild(), "SIGABRT"), 50);
  await failsWith(failed, "too_complex");
  assert.deepEqual((await next).pages.map(pageText), ["Hello"]);
});

withReader(
  "a file that needs more memory than allowed is refused",
  { maxMemoryBytes: 192 * 2 ** 20 },
  async (reader) => {
    const bomb = makePdf({
      pages: [{ marks: [{ raw: "0 0 m 1 1 l S ".repeat(4_000_000) }], compressed: true }],
    });
    await failsWith(reader.read(await save(bomb), "pdf"), "too_complex");
    await readsGood(reader);
  },
);

withReader("a file too large for the memory limit is refused", { maxMemoryBytes: 2 ** 28 }, async (reader) => {
  await failsWith(reader.read(await save(Buffer.alloc(2 ** 26 + 1)), "pdf"), "too_complex");
});

withReader("if no process can start, the read rejects", { maxMemoryBytes: 8 * 2 ** 20 }, async (reader) => {
  await assert.rejects(reader.read(await save(good), "pdf"), /process/);
  await assert.rejects(reader.warm(), /process/);
  await assert.rejects(reader.probe(), /process/);
  assert.ok(!reader.isAlive());
});

withReader(
  "a process that exits while the file is being opened is not used",
  { deadlineMs: { ...defaultReadingSettings.deadlineMs, base: 5_000 } },
  async (reader) => {
    const path = await save(good);
    await reader.warm();
    process.kill(onlyChild(), "SIGKILL");
    const reading = reader.read(path, "pdf");
    // Its exit is reported in the same turn as the opened file.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    assert.deepEqual((await reading).pages.map(pageText), ["Hello"]);
  },
);

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

/** Enough pages that reading them takes a while, each with its number. */
const long = makePdf({
  pages: Array.from({ length: 300 }, (_, index) => ({
    marks: [
      { text: `Page ${index + 1}`, x: 100, y: 800 },
      { raw: `BT /F0 8 Tf 40 780 Td ${"(some words here) Tj 0 -0.1 Td ".repeat(300)} ET` },
    ],
    compressed: true,
  })),
});
const firstLine = (page: Page): string => pageText(page).split("\n")[0] ?? "";

withReader(
  "every idle process helps to read a long document, and its pages arrive in order",
  { processes: 2 },
  async (reader) => {
    await reader.warm();
    const path = await save(long);
    const cpuSeconds = () => childrenOf(process.pid).map(cpuTicksOf);
    const before = cpuSeconds();
    const seen: string[] = [];
    const read = await reader.readPages(path, "pdf", { onPage: (page) => void seen.push(firstLine(page)) });
    assert.deepEqual(
      seen,
      Array.from({ length: 300 }, (_, index) => `Page ${index + 1}`),
    );
    assert.equal(read.pages, 300);
    for (const [index, ticks] of cpuSeconds().entries())
      assert.ok(ticks > (before[index] ?? 0), "a process stood idle");
  },
);

withReader("a helping process is released to a waiting read", { processes: 2 }, async (reader) => {
  await reader.warm();
  const controller = new AbortController();
  let pages = 0;
  let held = () => {};
  const holding = new Promise<void>((resolve) => {
    held = resolve;
  });
  // The receiver stops at a page in the middle, so that the document can't end before the other
  // one.
  const reading = reader.readPages(await save(long), "pdf", {
    signal: controller.signal,
    onPage: () => (++pages === 100 ? holding : undefined),
  });
  await until(() => pages === 100);
  await readsGood(reader);
  assert.equal(pages, 100);
  held();
  assert.equal((await reading).pages, 300);
});

withReader("a slow page receiver slows down the read, and its error ends it", { processes: 2 }, async (reader) => {
  await reader.warm();
  let pages = 0;
  const reading = reader.readPages(await save(long), "pdf", {
    onPage: async () => {
      if (++pages === 150) throw new Error("the disk is full");
    },
  });
  await assert.rejects(reading, { message: "the disk is full" });
  assert.equal(pages, 150);
  await readsGood(reader);
});

withReader(
  "of two processes on one document one is killed: the reading is interrupted, and both are replaced",
  { processes: 2 },
  async (reader) => {
    await reader.warm();
    let pages = 0;
    const path = await save(long);
    const reading = reader.readPages(path, "pdf", {
      onPage: () => {
        if (++pages === 60) for (const child of childrenOf(process.pid).slice(1)) process.kill(child, "SIGKILL");
      },
    });
    await assert.rejects(reading, ReadingInterrupted);
    await readsGood(reader);
    assert.equal((await reader.read(path, "pdf")).pages.length, 300);
  },
);

withReader("an abort kills every process that reads the document", { processes: 2 }, async (reader) => {
  await reader.warm();
  const children = childrenOf(process.pid);
  const controller = new AbortController();
  let pages = 0;
  const reading = reader.readPages(await save(long), "pdf", {
    signal: controller.signal,
    onPage: () => {
      if (++pages === 60) controller.abort(new Error("cancelled"));
    },
  });
  await assert.rejects(reading, { message: "cancelled" });
  await until(() => !children.some(isAlive));
  await readsGood(reader);
});
