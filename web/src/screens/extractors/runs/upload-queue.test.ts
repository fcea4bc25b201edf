import assert from "node:assert/strict";
import { test } from "node:test";
import { UploadQueue } from "./upload-queue.ts";

const file = (name: string) => new File(["x"], name);
const states = (queue: UploadQueue) => queue.files().map(({ state }) => state);
/** Waits until callbacks of settled promises have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("three files are read at once, in order, and the queue continues after a failure", async () => {
  const started: string[] = [];
  const ends = new Map<string, { resolve: (id: string) => void; reject: (error: Error) => void }>();
  const queue = new UploadQueue(({ name }) => {
    started.push(name);
    return new Promise((resolve, reject) => ends.set(name, { resolve, reject }));
  });
  queue.add(["a", "b", "c", "d", "e"].map(file));
  assert.deepEqual(started, ["a", "b", "c"]);
  assert.deepEqual(states(queue), ["running", "running", "running", "waiting", "waiting"]);
  ends.get("b")?.reject(new Error("too large"));
  await settled();
  assert.deepEqual(started, ["a", "b", "c", "d"]);
  ends.get("a")?.resolve("id-a");
  await settled();
  assert.deepEqual(states(queue), ["done", "failed", "running", "running", "running"]);
  assert.equal(queue.files()[0]?.extractionId, "id-a");
  assert.match(String(queue.files()[1]?.error), /too large/);

  queue.retry(queue.files()[1]?.id ?? 0);
  assert.equal(states(queue)[1], "waiting");
  ends.get("c")?.resolve("id-c");
  await settled();
  assert.deepEqual(started, ["a", "b", "c", "d", "e", "b"]);
  assert.equal(queue.isBusy, true);
  queue.clear();
  assert.deepEqual(states(queue), ["running", "running", "running"]);
  for (const name of ["d", "e", "b"]) ends.get(name)?.resolve(`id-${name}`);
  await settled();
  assert.equal(queue.isBusy, false);
});

test("a file that was removed from the list is not read", async () => {
  const started: string[] = [];
  const queue = new UploadQueue(async ({ name }) => {
    started.push(name);
    return undefined;
  });
  queue.add(["a", "b", "c", "d"].map(file));
  queue.clear();
  await settled();
  assert.deepEqual(started, ["a", "b", "c"]);
  assert.deepEqual(states(queue), ["done", "done", "done"]);
});
