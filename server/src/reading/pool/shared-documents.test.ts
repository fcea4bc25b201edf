/** Tests several reading processes that work on one document. */
import assert from "node:assert/strict";
import { type Page, pageText } from "../document.ts";
import { ReadingInterrupted } from "../reader.ts";
import { childrenOf, cpuTicksOf, isAlive, until } from "../testing/child-processes.ts";
import { makePdf } from "../testing/make-pdf.ts";
import { readsGood, save, withReader } from "../testing/pool-reader.ts";

/** A PDF with so many pages that reading them takes a while. Each page contains its number. */
const long = makePdf({
  pages: Array.from({ length: 300 }, (_, index) => ({
    marks: [
      { text: `Page ${index + 1}`, x: 100, y: 800 },
      { raw: `BT /F0 8 Tf 40 780 Td ${"(some words here) Tj 0 -0.1 Td ".repeat(150)} ET` },
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
  // The receiver stops at a page in the middle, so that this document can't be finished before the
  // other one.
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
