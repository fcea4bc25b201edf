/**
 * Stored files in an S3 store that is slow, breaks off transfers, refuses requests, or lacks
 * features that Sheaf needs.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { temporaryFolder } from "../../test/helpers/process.ts";
import { FilesUnavailable } from "../lib/files-unavailable.ts";
import { openS3Files } from "./s3-files.ts";
import type { StoredFile, StoredFiles } from "./stored-files.ts";
import type { Fault, S3Request } from "./testing/s3-server.ts";
import { openTestFiles } from "./testing/s3-test-files.ts";

async function place(options?: Parameters<typeof openTestFiles>[1]) {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const opened = stack.use(await openTestFiles(join(folder.path, "tmp"), options));
  const source = async (content: string | Buffer) => {
    const path = join(folder.path, `source-${Math.random()}`);
    await writeFile(path, content);
    return path;
  };
  return { ...opened, source, folder: folder.path, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/**
 * Returns a function that injects the given faults: the first matching request gets the first
 * fault, and so on.
 */
const once = (matches: (request: S3Request) => boolean, ...faults: Fault[]) => {
  return (request: S3Request) => (matches(request) ? faults.shift() : undefined);
};
const filesIn = async (files: StoredFiles) => {
  const found: StoredFile[] = [];
  for await (const file of files.list()) found.push(file);
  return found;
};
const isGet = ({ method }: S3Request) => method === "GET";
const large = () => randomBytes(17_000_000);

test("a store that ignores conditional writes is refused", async () => {
  await assert.rejects(place({ conditional: false }), /^Error: The store of s3:\/\/test-bucket\/in\/here ignores/);
});

test("a store that rejects conditional writes is refused", async () => {
  await using here = await place();
  here.server.fault = ({ headers }) => (headers["if-none-match"] ? { status: 501, code: "NotImplemented" } : undefined);
  await assert.rejects(openS3Files(here.settings, here.folder), FilesUnavailable);
  await assert.rejects(here.files.check(), FilesUnavailable);
});

test("requests are retried after 503, broken connections and lost responses", async () => {
  await using here = await place();
  const { files, server } = here;
  for (const fault of [{ status: 503 }, { status: 500 }, { delayMs: 300 }, "reset", "lost"] as const) {
    server.fault = once(({ method }) => method === "PUT", fault, fault);
    await files.put("o/a/1.original", await here.source("content"));
    server.fault = once(isGet, fault, fault);
    assert.equal((await buffer(files.open("o/a/1.original"))).toString(), "content");
    server.fault = once(({ method }) => method === "DELETE", fault, fault);
    await files.remove("o/a/1.original");
    assert.equal(await files.size("o/a/1.original"), undefined);
  }
});

test("a store that keeps failing is reported as unavailable, and works again after it recovers", async () => {
  await using here = await place();
  const { files, server } = here;
  const source = await here.source("content");
  await files.put("o/a/1.original", source);
  for (const fault of [{ status: 503 }, { status: 403, code: "AccessDenied" }, "reset"] as const) {
    server.fault = () => fault;
    await assert.rejects(files.put("o/a/2.original", source), FilesUnavailable);
    await assert.rejects(buffer(files.open("o/a/1.original")), FilesUnavailable);
    await assert.rejects(files.local("o/a/1.original"), FilesUnavailable);
    await assert.rejects(files.size("o/a/1.original"), FilesUnavailable);
    await assert.rejects(files.remove("o/a/1.original"), FilesUnavailable);
    await assert.rejects(filesIn(files), FilesUnavailable);
    await assert.rejects(files.check(), FilesUnavailable);
    server.fault = () => undefined;
    await files.check();
  }
  assert.equal((await buffer(files.open("o/a/1.original"))).toString(), "content");
  assert.deepEqual(await readdir(join(here.folder, "tmp")), [], "no temporary file is left");
});

test("a missing bucket is reported as unavailable files, not as a missing file", async () => {
  await using here = await place();
  const { server } = here;
  const { files } = await openS3Files(here.settings, here.folder);
  server.fault = ({ method }) => ({ status: 404, ...(method === "HEAD" ? {} : { code: "NoSuchBucket" }) });
  await assert.rejects(files.size("o/a/1.original"), FilesUnavailable);
  await assert.rejects(buffer(files.open("o/a/1.original")), FilesUnavailable);
});

test("a transfer that breaks off is continued where it stopped", async () => {
  await using here = await place();
  const { files, server } = here;
  const content = large();
  await files.put("o/a/1.original", await here.source(content));
  server.fault = once(isGet, { tornAfter: 1_000_000 }, { tornAfter: 10 }, { tornAfter: 0 }, { tornAfter: 5_000_000 });
  assert.ok((await buffer(files.open("o/a/1.original"))).equals(content));
  server.fault = once(isGet, { tornAfter: 5 });
  const range = { start: 100, end: 200 };
  assert.ok((await buffer(files.open("o/a/1.original", range))).equals(content.subarray(range.start, range.end)));
  server.fault = () => ({ tornAfter: 0 });
  await assert.rejects(buffer(files.open("o/a/1.original")), FilesUnavailable);
});

test("reading fails if the file is replaced meanwhile, instead of mixing both contents", async () => {
  await using here = await place();
  const { files, server } = here;
  await files.put("o/a/1.original", await here.source(large()));
  const other = await here.source(large());
  const read = files.open("o/a/1.original");
  let replaced = 0;
  server.fault = once(isGet, { tornAfter: 1_000_000 });
  await assert.rejects(async () => {
    for await (const _ of read) if (replaced++ === 0) await files.put("o/a/1.original", other);
  }, FilesUnavailable);
});

test("an upload retries each failed part, and succeeds even if the last response is lost", async () => {
  await using here = await place();
  const { files, server } = here;
  const content = large();
  let attempts = 0;
  server.fault = ({ method, query }) => {
    const isPart = method === "PUT" && query.has("partNumber");
    const isEnd = method === "POST" && query.has("uploadId");
    if ((!isPart && !isEnd) || attempts++ % 2 === 1) return undefined;
    return isPart ? { status: 503 } : "lost";
  };
  await files.put("o/a/1.original", await here.source(content));
  assert.ok(attempts >= 6, `${attempts} attempts`);
  server.fault = () => undefined;
  assert.ok((await buffer(files.open("o/a/1.original"))).equals(content));
  assert.equal(server.uploads.size, 0);
});

test("a failed multipart upload is aborted, and the previous file stays", async () => {
  await using here = await place();
  const { files, server } = here;
  await files.put("o/a/1.original", await here.source("before"));
  server.fault = ({ query }) => (query.get("partNumber") === "2" ? { status: 503 } : undefined);
  await assert.rejects(files.put("o/a/1.original", await here.source(large())), FilesUnavailable);
  assert.equal(server.uploads.size, 0);
  assert.equal((await buffer(files.open("o/a/1.original"))).toString(), "before");
});

test("listing aborts unfinished uploads that are older than a day, and keeps recent ones", async () => {
  await using here = await place();
  const { files, server } = here;
  const upload = { parts: new Map(), headers: {} };
  server.uploads.set("old", { ...upload, key: "in/here/o/a/1.original", startedMs: Date.now() - 25 * 3_600_000 });
  server.uploads.set("recent", { ...upload, key: "in/here/o/a/2.original", startedMs: Date.now() - 23 * 3_600_000 });
  assert.deepEqual(await filesIn(files), []);
  assert.deepEqual([...server.uploads.keys()], ["recent"]);
  server.fault = ({ query }) => (query.has("uploads") ? { status: 403, code: "AccessDenied" } : undefined);
  assert.deepEqual(await filesIn(files), [], "without the permission to list uploads");
});

test("every object is stored below the prefix, with the requested encryption", async () => {
  await using here = await place();
  const { files, server } = here;
  await files.put("o/a/1.original", await here.source("small"));
  await files.put("o/a/2.original", await here.source(large()));
  await files.trash.put("o/a/1.original", "2026-01-01");
  const expected = ["in/here/.probe", "in/here/.trash/2026-01-01/o/a/1.original", "in/here/o/a/2.original"];
  assert.deepEqual([...server.objects.keys()].sort(), expected);
  for (const [key, { headers }] of server.objects) assert.equal(headers["x-amz-server-side-encryption"], "AES256", key);
});
