/**
 * Tests of stored Documents, which are written page by page and read either as a whole or by page.
 */
import assert from "node:assert/strict";
import { open, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { constants, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { temporaryFolder } from "../../../test/helpers/process.ts";
import { openFolderFiles } from "../../files/folder-files.ts";
import { openTemporaryFiles } from "../../files/temporary-files.ts";
import type { Page } from "../../reading/document.ts";
import { DocumentWriter, readDocumentAt, readPagesAt } from "./stored-document.ts";

const key = "o/a/d.document";
const rest = { mime: "application/pdf", metadata: { Title: "Ärger\n" }, outline: [] };

/**
 * Returns a page of about `bytes` bytes. Its text repeats the page number, so that all pages
 * differ.
 */
const pageOf = (number: number, bytes: number): Page => ({
  ...{ number, width: 595, height: 842, rotation: 0, source: "text", lines: [], blocks: [], tables: [] },
  words: [{ text: `${number} `.repeat(bytes / `${number} `.length), box: [0, 0, 1, 1] }],
});

async function place() {
  const folder = await temporaryFolder();
  const files = await openFolderFiles(join(folder.path, "files"));
  const temporary = await openTemporaryFiles(join(folder.path, "tmp"));
  const store = async (pages: readonly Page[]) => {
    await using file = await temporary.create();
    const writer = new DocumentWriter(file);
    for (const page of pages) await writer.page(page);
    await writer.end(rest);
    await files.put(key, file.path);
  };
  return { files, store, path: join(folder.path, "files", key), [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

test("a Document is read back unchanged, both as a whole and page by page", async () => {
  await using here = await place();
  const { files, store } = here;
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 100_000, max: 600_000 })), {
    maxLength: 12,
  });
  const property = fc.asyncProperty(sizes, async (bytes) => {
    const pages = bytes.map((each, index) => pageOf(index + 1, each));
    await store(pages);
    assert.deepEqual(await readDocumentAt(files, key), { ...rest, pages });
    for (const page of pages)
      assert.deepEqual(await readPagesAt(files, key, new Set([page.number])), new Map([[page.number, page]]));
    const ends = [1, pages.length, pages.length + 1, 0];
    const found = pages.filter(({ number }) => ends.includes(number)).map((page) => [page.number, page] as const);
    assert.deepEqual(await readPagesAt(files, key, new Set(ends)), new Map(found));
  });
  await fc.assert(property, { numRuns: 40 });
});

test("a page is read without reading the pages before it", async () => {
  await using here = await place();
  const { files, store, path } = here;
  const pages = Array.from({ length: 40 }, (_, index) => pageOf(index + 1, 300_000));
  await store(pages);
  // Damages the first frame.
  await using file = await open(path, "r+");
  await file.write(Buffer.from("damaged"), 0, 7, 20);
  assert.deepEqual(await readPagesAt(files, key, new Set([40])), new Map([[40, pages[39]]]));
  await assert.rejects(readPagesAt(files, key, new Set([1])));
  await assert.rejects(readDocumentAt(files, key));
});

test("a file of an earlier version, which is a single frame without an index, can be read", async () => {
  await using here = await place();
  const { files, store, path } = here;
  await store([]);
  const pages = Array.from({ length: 40 }, (_, index) => pageOf(index + 1, 50_000));
  const lines = [...pages, rest].map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeFile(path, zstdCompressSync(lines, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }));
  assert.deepEqual(await readDocumentAt(files, key), { ...rest, pages });
  const wanted = new Set([2, 40, 41]);
  assert.deepEqual(
    await readPagesAt(files, key, wanted),
    new Map([pages[1], pages[39]].map((page) => [page?.number, page])),
  );
});

test("a truncated file is rejected, wherever it is cut off", async () => {
  await using here = await place();
  const { files, store, path } = here;
  await store(Array.from({ length: 4 }, (_, index) => pageOf(index + 1, 200_000)));
  const { length } = await readFile(path);
  for (let size = length - 1; size >= 0; size -= 1 + Math.floor(length / 50)) {
    await truncate(path, size);
    await assert.rejects(readDocumentAt(files, key), `${size} of ${length} bytes`);
  }
  await files.remove(key);
  for (const read of [readDocumentAt(files, key), readPagesAt(files, key, new Set([1]))])
    await assert.rejects(read, { code: "ENOENT" });
});
