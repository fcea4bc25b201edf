/**
 * Makes files and readers for tests of the process pool. A test file that imports this module gets
 * its own temporary folder, in which `save` stores files.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pageText } from "../document.ts";
import { openReader } from "../open-reader.ts";
import type { ProcessReader } from "../reader.ts";
import { ReadingError, type ReadingFailure, type ReadingSettings } from "../reader.ts";
import { childrenOf } from "./child-processes.ts";
import { makePdf, onePage } from "./make-pdf.ts";
import { patientSettings } from "./patient-settings.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "reading-"));
});
after(() => rm(folder, { recursive: true }));

let files = 0;
/** Saves a PDF file and returns its path. */
export async function save(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${files++}.pdf`);
  await writeFile(path, bytes);
  return path;
}

/** A PDF with one page, which contains the text "Hello". */
export const good = onePage({ text: "Hello", x: 100, y: 700 });
/** A page with so much text that reading it takes half a second. */
export const slowPage = {
  marks: [{ raw: `BT /F0 8 Tf 40 800 Td ${"(slow words here) Tj 0 -0.01 Td ".repeat(60_000)} ET` }],
  compressed: true,
};
export const slow = makePdf({ pages: [slowPage] });

/** Defines a test. Its body receives a new reader, which is closed after the test. */
export function withReader(
  name: string,
  settings: Partial<ReadingSettings>,
  body: (reader: ProcessReader) => Promise<void>,
): void {
  test(name, async () => {
    const reader = openReader({ ...patientSettings, processes: 1, ...settings });
    try {
      await body(reader);
    } finally {
      await reader.close();
      assert.deepEqual(childrenOf(process.pid), []);
    }
  });
}

export const failsWith = (reading: Promise<unknown>, reason: ReadingFailure) =>
  assert.rejects(reading, (error) => error instanceof ReadingError && error.reason === reason);

export async function readsGood(reader: ProcessReader): Promise<void> {
  const document = await reader.read(await save(good), "pdf");
  assert.deepEqual(document.pages.map(pageText), ["Hello"]);
}

export const onlyChild = (): number => childrenOf(process.pid)[0] ?? assert.fail("no reading process");
