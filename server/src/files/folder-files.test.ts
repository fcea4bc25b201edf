import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
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

const keysOf = async (files: StoredFiles) => {
  const keys: string[] = [];
  for await (const { key } of files.list()) keys.push(key);
  return keys.sort();
};

/** Starts a worker that writes files below a folder continuously for `forMs` milliseconds. */
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

test("all files are removed even while other files are being stored", async () => {
  await using here = await place();
  const { files, root } = here;
  await files.put("o/a/1.original", await here.source("one"));
  const ended = once(writesBelow(join(root, "o/a"), 200), "exit");
  while ((await readdir(join(root, "o/a"))).length < 2) await setImmediate();
  await files.removeAll("o/a");
  await ended;
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
