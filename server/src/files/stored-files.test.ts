/** One test suite for every implementation of stored files: a folder, and S3. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, test } from "node:test";
import fc from "fast-check";
import { temporaryFolder } from "../../test/helpers/process.ts";
import { openFolderFiles } from "./folder-files.ts";
import { type FilesMark, folderMark } from "./installation-mark.ts";
import type { StoredFiles } from "./stored-files.ts";
import { openTestFiles } from "./testing/s3-test-files.ts";

interface Opened extends AsyncDisposable {
  files: StoredFiles;
  mark: FilesMark;
}

const implementations: Record<string, (folder: string) => Promise<Opened>> = {
  folder: async (folder) => {
    const root = join(folder, "files");
    return { files: await openFolderFiles(root), mark: folderMark(root), [Symbol.asyncDispose]: async () => {} };
  },
  s3: (folder) => openTestFiles(folder),
};

const keysOf = async (files: StoredFiles, prefix?: string) => {
  const keys: string[] = [];
  for await (const { key } of files.list(prefix)) keys.push(key);
  return keys.sort();
};
const textOf = async (files: StoredFiles, key: string, range?: { start: number; end: number }) =>
  (await buffer(files.open(key, range))).toString();

for (const [name, openIn] of Object.entries(implementations))
  describe(`stored files in ${name}`, () => {
    async function place() {
      const stack = new AsyncDisposableStack();
      const folder = stack.use(await temporaryFolder());
      const { files, mark } = stack.use(await openIn(folder.path));
      const source = async (content: string | Buffer) => {
        const path = join(folder.path, `source-${Math.random()}`);
        await writeFile(path, content);
        return path;
      };
      return { files, mark, source, folder: folder.path, [Symbol.asyncDispose]: () => stack.disposeAsync() };
    }

    test("a stored file is complete, and can be listed, replaced and removed", async () => {
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

    test("a missing file is reported with the code ENOENT", async () => {
      await using here = await place();
      await assert.rejects(here.files.put("o/a/1", join(here.folder, "no such file")), { code: "ENOENT" });
      assert.deepEqual(await keysOf(here.files), []);
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

    test("a large file is stored and read whole, in ranges and by path", async () => {
      await using here = await place();
      const { files } = here;
      const content = randomBytes(20_000_001);
      await files.put("o/a/1.original", await here.source(content));
      assert.equal(await files.size("o/a/1.original"), content.length);
      assert.ok((await buffer(files.open("o/a/1.original"))).equals(content));
      const range = { start: 8_388_600, end: 8_388_620 };
      assert.ok((await buffer(files.open("o/a/1.original", range))).equals(content.subarray(range.start, range.end)));
      const local = await files.local("o/a/1.original");
      assert.ok((await readFile(local.path)).equals(content));
      await local[Symbol.asyncDispose]();
    });

    test("an empty file is stored, read and listed", async () => {
      await using here = await place();
      const { files } = here;
      await files.put("o/a/1.original", await here.source(""));
      assert.equal(await files.size("o/a/1.original"), 0);
      assert.equal(await textOf(files, "o/a/1.original"), "");
      assert.deepEqual(await keysOf(files), ["o/a/1.original"]);
      await files.check();
    });

    test("a missing file cannot be opened by path either", async () => {
      await using here = await place();
      // The folder implementation returns the path without checking that the file exists.
      await assert.rejects(async () => readFile((await here.files.local("o/a/1")).path), { code: "ENOENT" });
    });

    test("the trash keeps files by batch, puts them back and is emptied by age", async () => {
      await using here = await place();
      const { files } = here;
      const { trash } = files;
      const trashed = async () => {
        const found: string[] = [];
        for await (const { key, batch } of trash.list()) found.push(`${batch} ${key}`);
        return found.sort();
      };
      for (const id of [1, 2, 3]) await files.put(`o/a/${id}.original`, await here.source(`file ${id}`));
      await trash.put("o/a/1.original", "2026-01-01");
      await trash.put("o/a/2.original", "2026-01-02.wanted");
      await trash.put("o/a/9.original", "2026-01-02");
      assert.deepEqual(await keysOf(files), ["o/a/3.original"]);
      assert.deepEqual(await trashed(), ["2026-01-01 o/a/1.original", "2026-01-02.wanted o/a/2.original"]);
      await files.put("o/a/2.original", await here.source("in use again"));
      assert.equal(await trash.putBack({ key: "o/a/2.original", batch: "2026-01-02.wanted" }), false);
      assert.equal(await trash.putBack({ key: "o/a/1.original", batch: "2026-01-01" }), true);
      assert.equal(await trash.putBack({ key: "o/a/1.original", batch: "2026-01-01" }), false);
      assert.equal(await textOf(files, "o/a/1.original"), "file 1");
      assert.equal(await textOf(files, "o/a/2.original"), "in use again");
      await trash.put("o/a/3.original", "2026-01-01");
      await trash.empty("2026-01-02");
      assert.deepEqual(await trashed(), ["2026-01-02.wanted o/a/2.original"]);
      await trash.empty("2026-01-03");
      assert.deepEqual(await trashed(), []);
      assert.deepEqual(await keysOf(files), ["o/a/1.original", "o/a/2.original"]);
    });

    test("files are listed over several pages, with a recent time and an identity", async () => {
      await using here = await place();
      const { files } = here;
      const source = await here.source("x");
      const expected = Array.from({ length: 11 }, (_, index) => `o/a/${10 + index}.original`);
      for (const key of expected) await files.put(key, source);
      await files.put("o/ab/1.original", source);
      assert.deepEqual(await keysOf(files, "o/a"), expected);
      for await (const { storedMs, identity } of files.list("o/a")) {
        assert.ok(Math.abs(Date.now() - storedMs) < 60_000);
        assert.notEqual(identity, "");
      }
      await files.removeAll("o/a");
      assert.deepEqual(await keysOf(files), ["o/ab/1.original"]);
    });

    test("an installation mark is created once, can be replaced, and is not listed as a stored file", async () => {
      await using here = await place();
      const { files, mark } = here;
      assert.deepEqual([await mark.read(), await mark.holdsFiles()], [undefined, false]);
      await mark.create("one");
      await mark.create("two");
      assert.equal(await mark.read(), "one");
      await mark.replace("three");
      assert.equal(await mark.read(), "three");
      assert.deepEqual([await keysOf(files), await mark.holdsFiles()], [[], false]);
      await files.put("o/a/1.original", await here.source("x"));
      await files.trash.put("o/a/1.original", "2026-01-01");
      assert.equal(await mark.holdsFiles(), false);
      await files.put("o/a/1.original", await here.source("x"));
      assert.equal(await mark.holdsFiles(), true);
    });
  });
