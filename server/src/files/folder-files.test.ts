import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { temporaryFolder } from "../../test/helpers/process.ts";
import { openFolderFiles } from "./folder-files.ts";
import type { StoredFiles } from "./stored-files.ts";

async function place() {
  const folder = await temporaryFolder();
  const source = async (text: string) => {
    const path = join(folder.path, `source-${Math.random()}`);
    await writeFile(path, text);
    return path;
  };
  const root = join(folder.path, "files");
  return { root, source, files: await openFolderFiles(root), [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

const keysOf = async (files: StoredFiles, prefix?: string) => {
  const keys: string[] = [];
  for await (const { key } of files.list(prefix)) keys.push(key);
  return keys.sort();
};
const textOf = async (files: StoredFiles, key: string, range?: { start: number; end: number }) =>
  (await buffer(files.open(key, range))).toString();

/** Writes files below a folder continuously for `forMs` milliseconds. */
const writesBelow = (folder: string, forMs: number) =>
  new Worker(
    `const { mkdirSync, writeFileSync } = require("node:fs");
    const { folder, forMs } = require("node:worker_threads").workerData;
    for (const until = performance.now() + forMs; performance.now() < until; )
      try {
        mkdirSync(folder + "/d", { recursive: true });
        writeFileSync(folder + "/d/" + performance.now(), "");
      } catch {}`,
    { eval: true, workerData: { folder, forMs } },
  );

test("all files are removed although others are being stored", async () => {
  await using here = await place();
  const { files, root } = here;
  await files.put("o/a/1.original", await here.source("one"));
  const ended = once(writesBelow(join(root, "o/a"), 200), "exit");
  while ((await readdir(join(root, "o/a"))).length < 2) await setImmediate();
  await files.removeAll("o/a");
  await ended;
});

test("a stored file is complete, listed, replaced and removed", async () => {
  await using here = await place();
  const { files } = here;
  await files.put("o/a/1.original", await here.source("one"));
  await files.put("o/b/2.original", await here.source("two"));
  assert.deepEqual(
    [
      await textOf(files, "o/b/2.original", { start: 1, end: 3 }),
      await textOf(files, "o/b/2.original", { start: 0, end: 1 }),
    ],
    ["wo", "t"],
  );
  assert.equal(await textOf(files, "o/a/1.original"), "one");
  assert.deepEqual([await files.size("o/a/1.original"), await files.size("o/a/9")], [3, undefined]);
  await files.put("o/a/1.original", await here.source("anew"));
  assert.equal(await textOf(files, "o/a/1.original"), "anew");
  const again = await here.source("same");
  for (const _ of [1, 2]) await files.put("o/a/1.original", again);
  assert.equal(await textOf(files, "o/a/1.original"), "same");
  assert.deepEqual(await keysOf(files), ["o/a/1.original", "o/b/2.original"]);
  assert.deepEqual(await keysOf(files, "o/a"), ["o/a/1.original"]);
  await files.remove("o/a/1.original");
  await files.remove("o/a/1.original");
  await assert.rejects(textOf(files, "o/a/1.original"), { code: "ENOENT" });
  await files.removeAll("o/b");
  await files.removeAll("o/b");
  assert.deepEqual(await keysOf(files), []);
  await files.put("o/b/2.original", await here.source("two again"));
  assert.deepEqual(await keysOf(files), ["o/b/2.original"]);
});

test("a missing file has its own error", async () => {
  await using here = await place();
  await assert.rejects(here.files.put("o/a/1", join(here.root, "no such file")), { code: "ENOENT" });
  assert.deepEqual(await keysOf(here.files), []);
});

test("listing removes an old partial copy and keeps a recent one; neither is listed", async () => {
  await using here = await place();
  await mkdir(join(here.root, "o"));
  for (const name of ["old~", "young~"]) await writeFile(join(here.root, "o", name), "x");
  const past = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(here.root, "o", "old~"), past, past);
  assert.deepEqual(await keysOf(here.files), []);
  assert.deepEqual(await readdir(join(here.root, "o")), ["young~"]);
});

test("client text cannot become a path: a key consists of plain segments or is refused", async () => {
  await using here = await place();
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom(".", "..", "/", "\\", "~", "a", "\0", "%2e"), { maxLength: 8 })
      .map((parts) => parts.join("")),
    fc.constantFrom("", ".", "..", "../x", "/etc/passwd", "a//b", "a/", "a/../b", "a\\b", "C:\\x", "a\0b", "a~"),
  );
  const plain = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
  await fc.assert(
    fc.asyncProperty(hostile, async (key) => {
      if (plain.test(key)) return;
      await assert.rejects(here.files.size(key), TypeError);
      await assert.rejects(here.files.remove(key), TypeError);
      await assert.rejects(here.files.removeAll(key), TypeError);
      assert.throws(() => here.files.open(key), TypeError);
    }),
  );
});
