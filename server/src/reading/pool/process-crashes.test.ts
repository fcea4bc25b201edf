/** Tests reading processes that are killed, crash, or run out of memory. */
import assert from "node:assert/strict";
import { pageText } from "../document.ts";
import { defaultReadingSettings } from "../open-reader.ts";
import { ReadingInterrupted } from "../reader.ts";
import { makePdf } from "../testing/make-pdf.ts";
import { failsWith, good, onlyChild, readsGood, save, slow, withReader } from "../testing/pool-reader.ts";

withReader("a process killed from outside loses no document", {}, async (reader) => {
  await reader.warm();
  const slowPath = await save(slow);
  const killed = reader.read(slowPath, "pdf");
  const next = save(good).then((path) => reader.read(path, "pdf"));
  setTimeout(() => process.kill(onlyChild(), "SIGKILL"), 50);
  assert.ok((await killed).pages.length > 0);
  assert.deepEqual((await next).pages.map(pageText), ["Hello"]);
  // The reader does not retry a background read. The error goes to the job that started the read,
  // and the job decides whether to retry.
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
    // This blocks the event loop, so that the exit of the process is reported in the same iteration
    // of the loop as the opened file.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    assert.deepEqual((await reading).pages.map(pageText), ["Hello"]);
  },
);
