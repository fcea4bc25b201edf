import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openTemporaryFiles, TemporaryFile } from "./temporary-files.ts";

const root = await mkdtemp(join(tmpdir(), "temporary-files-"));
after(() => rm(root, { recursive: true }));

function newFolder(): string {
  return join(root, randomUUID());
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

test("creates the folder for its owner only, and restricts an existing one", async () => {
  const folder = join(newFolder(), "inner");
  await openTemporaryFiles(folder);
  assert.equal(await modeOf(folder), 0o700);
  const wide = newFolder();
  await mkdir(wide, { mode: 0o755 });
  await openTemporaryFiles(wide);
  assert.equal(await modeOf(wide), 0o700);
});

test("removes files of an earlier run and nothing else", async () => {
  const folder = newFolder();
  const earlier = await openTemporaryFiles(folder);
  const [left, leftWithExtension] = [await earlier.create(), await earlier.create("pdf")];
  await Promise.all([left.close(), leftWithExtension.close()]);
  await writeFile(join(folder, "notes.txt"), "");
  await mkdir(join(folder, randomUUID()));
  await openTemporaryFiles(folder);
  const names = await readdir(folder);
  assert.equal(names.length, 2);
  assert.ok(names.includes("notes.txt"));
});

test("creates files for their owner only, with random names", async () => {
  const folder = newFolder();
  const files = await openTemporaryFiles(folder);
  await using plain = await files.create();
  await using pdf = await files.create("pdf");
  assert.equal(await modeOf(plain.path), 0o600);
  assert.match(pdf.path.slice(folder.length), /^\/[0-9a-f-]{36}\.pdf$/);
  for (const extension of ["", "../x", "a/b", "PDF", "pdf\0", ".pdf", "x".repeat(17)]) {
    await assert.rejects(files.create(extension), TypeError, extension);
  }
  assert.equal((await readdir(folder)).length, 2);
});

test("keeps every byte of chunks of any size, in order", async () => {
  const files = await openTemporaryFiles(newFolder());
  for (const sizes of [[0], [1, 0, 2], [262_143, 1, 1], [262_144], [262_145], [1_000_000, 3], Array(3000).fill(997)]) {
    await using file = await files.create();
    const expected: Buffer[] = [];
    for (const size of sizes) {
      const chunk = randomBytes(size);
      expected.push(Buffer.from(chunk));
      await file.write(chunk);
      chunk.fill(0);
    }
    await file.sync();
    assert.ok((await readFile(file.path)).equals(Buffer.concat(expected)));
    assert.equal(file.size, Buffer.concat(expected).length);
  }
});

test("accepts further writes after a sync", async () => {
  const files = await openTemporaryFiles(newFolder());
  await using file = await files.create();
  await file.write(Buffer.from("one "));
  await file.sync();
  await file.write(Buffer.from("two"));
  await file.close();
  assert.equal(await readFile(file.path, "utf8"), "one two");
});

test("closes once and refuses further writes", async () => {
  const files = await openTemporaryFiles(newFolder());
  await using file = await files.create();
  await file.write(Buffer.from("abc"));
  await Promise.all([file.close(), file.close()]);
  await file.close();
  await assert.rejects(async () => file.write(Buffer.from("d")), /closed/);
  assert.equal(await readFile(file.path, "utf8"), "abc");
});

test("removes the file when disposed of, at any moment and repeatedly", async () => {
  const folder = newFolder();
  const files = await openTemporaryFiles(folder);
  const idle = await files.create();
  await Promise.all([idle[Symbol.asyncDispose](), idle[Symbol.asyncDispose]()]);
  await idle[Symbol.asyncDispose]();

  const closed = await files.create();
  await closed.close();
  await closed[Symbol.asyncDispose]();

  const writing = await files.create();
  const written = Promise.resolve(writing.write(Buffer.alloc(5_000_000))).then(
    () => "written",
    () => "refused",
  );
  await writing[Symbol.asyncDispose]();
  assert.ok(["written", "refused"].includes(await written));
  assert.deepEqual(await readdir(folder), []);
});

test("keeps a file that has been moved away", async () => {
  const folder = newFolder();
  const files = await openTemporaryFiles(folder);
  const kept = join(folder, "kept");
  {
    await using file = await files.create();
    await file.write(Buffer.from("abc"));
    await file.close();
    await rename(file.path, kept);
  }
  assert.equal(await readFile(kept, "utf8"), "abc");
});

/** A device on which every write fails, as on a full disk. */
const full = "/dev/full";

test("reports a full disk with the system's error, from the failing call and every later call", {
  skip: !existsSync(full),
}, async () => {
  const noSpace = { code: "ENOSPC" };
  const file = new TemporaryFile(join(root, randomUUID()), await open(full, "w"));
  assert.equal(file.write(Buffer.alloc(1000)), undefined);
  await assert.rejects(async () => {
    for (let block = 0; block < 3; block++) await file.write(Buffer.alloc(300_000));
  }, noSpace);
  await assert.rejects(file.sync(), noSpace);
  await assert.rejects(file.close(), noSpace);
  await file[Symbol.asyncDispose]();
});

test("reports a full disk at the sync if the file is small", { skip: !existsSync(full) }, async () => {
  await using file = new TemporaryFile(join(root, randomUUID()), await open(full, "w"));
  assert.equal(file.write(Buffer.from("abc")), undefined);
  await assert.rejects(file.sync(), { code: "ENOSPC" });
});
