/** Tests rendering on demand with a fake reader. Each test decides when a rendering completes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredFiles } from "../../files/stored-files.ts";
import { AppError } from "../../lib/errors.ts";
import { FairSlots } from "../../lib/fair-slots.ts";
import { withTenant } from "../../lib/tenant.ts";
import { type PageImage, type Reader, ReadingError, ReadingInterrupted } from "../../reading/reader.ts";
import { ImageCache } from "./image-cache.ts";
import { PageImages } from "./page-images.ts";

interface Rendering {
  page: number;
  signal: AbortSignal;
  resolve(image: PageImage): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that gets page images through a fake reader, and the list of the renderings
 * that were started, in order.
 */
function scripted(concurrency = 1) {
  const started: Rendering[] = [];
  const renderPage: Reader["renderPage"] = (_path, _extension, { page }, { signal } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<PageImage>();
    signal?.addEventListener("abort", () => reject(signal.reason));
    started.push({ page, signal: signal as AbortSignal, resolve, reject });
    return promise;
  };
  const files = { local: async (path: string) => ({ path, [Symbol.asyncDispose]: async () => {} }) };
  const images = new PageImages(files as unknown as StoredFiles, { renderPage } as Reader, new FairSlots(concurrency));
  const get = (page: number, signal = new AbortController().signal) =>
    images.get(`${page}`, { fileKey: "file", extension: "pdf", page, width: 900 }, signal);
  return { started, get };
}

const imageOf = (page: number): PageImage => ({ width: 900, height: 900, bytes: new Uint8Array([page]) });
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("concurrent renderings are limited, and all callers that wait for the same image share one rendering", async () => {
  const { started, get } = scripted(2);
  const all = [get(1), get(1), get(2), get(3), get(3)];
  await settled();
  assert.deepEqual(
    started.map(({ page }) => page),
    [1, 2],
  );
  started[0]?.resolve(imageOf(1));
  await settled();
  started[1]?.resolve(imageOf(2));
  started[2]?.resolve(imageOf(3));
  assert.deepEqual(
    (await Promise.all(all)).map(([page]) => page),
    [1, 1, 2, 3, 3],
  );
  assert.deepEqual([...(await get(2))], [2]);
  assert.equal(started.length, 3);
});

test("tenants take turns", async () => {
  const { started, get } = scripted();
  const all = [1, 2, 3].map((page) => withTenant("many", () => get(page)));
  await settled();
  all.push(withTenant("one", () => get(9)));
  for (let index = 0; index < 4; index++) {
    await settled();
    started[index]?.resolve(imageOf(started[index]?.page ?? 0));
  }
  await Promise.all(all);
  assert.ok(started.findIndex(({ page }) => page === 9) < 3, `order ${started.map(({ page }) => page)}`);
});

test("a rendering that nobody is waiting for any more is not started", async () => {
  const { started, get } = scripted();
  const [first, leaving] = [get(1), new AbortController()];
  const left = [get(2, leaving.signal), get(2, leaving.signal)];
  const stays = get(3);
  await settled();
  leaving.abort(new Error("gone"));
  for (const each of left) await assert.rejects(each, { message: "gone" });
  await assert.rejects(get(2, leaving.signal), { message: "gone" });
  started[0]?.resolve(imageOf(1));
  await first;
  await settled();
  assert.deepEqual(
    started.map(({ page }) => page),
    [1, 3],
  );
  started[1]?.resolve(imageOf(3));
  await stays;
});

test("a rendering under way continues after its client has left, if another client waits for it or arrives within a second", async () => {
  const { started, get } = scripted();
  const leaving = new AbortController();
  const left = get(1, leaving.signal);
  await settled();
  leaving.abort(new Error("gone"));
  await assert.rejects(left, { message: "gone" });
  const comes = get(1);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal(started[0]?.signal.aborted, false);
  started[0]?.resolve(imageOf(1));
  assert.deepEqual([...(await comes)], [1]);
  assert.equal(started.length, 1);
});

test("a rendering under way is stopped a second after the last client has left", async () => {
  const { started, get } = scripted();
  const leaving = new AbortController();
  const left = get(1, leaving.signal);
  await settled();
  leaving.abort(new Error("gone"));
  await assert.rejects(left, { message: "gone" });
  await settled();
  assert.equal(started[0]?.signal.aborted, false);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal(started[0]?.signal.aborted, true);
  const again = get(1);
  await settled();
  started[1]?.resolve(imageOf(1));
  assert.deepEqual([...(await again)], [1]);
});

test("a page is not rendered again at once if its rendering failed, but is if its rendering was interrupted", async () => {
  const { started, get } = scripted();
  const isFailure = (error: unknown) =>
    error instanceof AppError && error.code === "extraction_failed" && /rendered: too much/.test(error.message);
  const failing = get(1);
  await settled();
  started[0]?.reject(new ReadingError("too_complex", "too much"));
  await assert.rejects(failing, isFailure);
  await assert.rejects(get(1), isFailure);
  assert.equal(started.length, 1);
  const interrupted = get(2);
  await settled();
  started[1]?.reject(new ReadingInterrupted("killed"));
  await assert.rejects(interrupted, (error) => error instanceof AppError && error.code === "agent_unavailable");
  const again = get(2);
  await settled();
  started[2]?.resolve(imageOf(2));
  assert.deepEqual([...(await again)], [2]);
});

test("the cache drops the least recently used images if it exceeds its size, and all images after an idle time", async () => {
  const cache = new ImageCache(10, 50);
  cache.set("a", new Uint8Array(4));
  cache.set("b", new Uint8Array(4));
  cache.get("a");
  cache.set("c", new Uint8Array(4));
  const has = () => ["a", "b", "c"].filter((key) => cache.get(key) !== undefined);
  assert.deepEqual(has(), ["a", "c"]);
  cache.set("a", new Uint8Array(11));
  assert.deepEqual(has(), []);
  cache.set("b", new Uint8Array(10));
  assert.deepEqual(has(), ["b"]);
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.deepEqual(has(), []);
});
