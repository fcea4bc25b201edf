import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { pageText } from "../../src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../src/reading/open-reader.ts";
import { type ProcessReader, ReadingError } from "../../src/reading/reader.ts";

const invoice = await readFile(new URL("../fixtures/invoice-ruled-table.pdf", import.meta.url));
let folder: string;
let reader: ProcessReader;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "reading-"));
  reader = openReader({
    ...defaultReadingSettings,
    processes: 2,
    deadlineMs: { base: 10_000, perPage: 50, perOcrPage: 30_000 },
  });
  await reader.warm();
});
after(async () => {
  await reader.close();
  await rm(folder, { recursive: true });
});

/** Reads the bytes. Fails on any result other than a Document or a `ReadingError`. */
async function survives(bytes: Uint8Array, name: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  try {
    const document = await reader.read(path, "pdf");
    for (const page of document.pages) assert.equal(typeof pageText(page), "string");
  } catch (error) {
    assert.ok(error instanceof ReadingError, String(error));
  }
}

const flips = fc.array(fc.tuple(fc.nat(invoice.length - 1), fc.nat(255)), { minLength: 1, maxLength: 300 });

test("an invoice with random bytes in it is read or refused", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(flips, (changes) => {
      const bytes = Uint8Array.from(invoice);
      for (const [at, value] of changes) bytes[at] = value;
      return survives(bytes, `flipped-${count++}.pdf`);
    }),
    { numRuns: 60 },
  );
});

test("an invoice with parts removed or duplicated is read or refused", async () => {
  let count = 0;
  const range = fc.tuple(fc.nat(invoice.length), fc.nat(invoice.length), fc.boolean());
  await fc.assert(
    fc.asyncProperty(range, ([a, b, doubled]) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const parts = [invoice.subarray(0, to), invoice.subarray(doubled ? from : to)];
      return survives(
        Buffer.concat(doubled ? parts : [invoice.subarray(0, from), invoice.subarray(to)]),
        `cut-${count++}.pdf`,
      );
    }),
    { numRuns: 40 },
  );
});

test("an undamaged file is read correctly after all damaged ones", async () => {
  const path = join(folder, "sound.pdf");
  await writeFile(path, invoice);
  const document = await reader.read(path, "pdf");
  assert.match(pageText(document.pages[0] ?? assert.fail()), /Gesamtbetrag: 571,04/);
});
