import assert from "node:assert/strict";
import test from "node:test";
import {
  addFiles,
  cancel,
  clearFinished,
  concurrentUploads,
  emptyQueue,
  hasOpenUploads,
  markDone,
  markFailed,
  markSending,
  maxAttempts,
  pause,
  recordProgress,
  resume,
  retryFailed,
  startable,
  totalsOf,
  type UploadFailure,
  type UploadQueue,
} from "./upload-queue.ts";

const now = 1_000_000;
const file = (name: string, size = 100, path = "") => ({ corpus: "c1", name, path, size });
const many = (count: number) =>
  addFiles(
    emptyQueue,
    Array.from({ length: count }, (_, i) => file(`${i}.pdf`)),
  );
const busy = (more: Partial<UploadFailure> = {}): UploadFailure => ({
  code: "agent_unavailable",
  message: "",
  status: 503,
  ...more,
});
const send = (queue: UploadQueue) =>
  markSending(
    queue,
    startable(queue, now).map(({ id }) => id),
  );

test("at most four files are sent at a time, in the order of the queue", () => {
  const queue = send(many(1_000));
  assert.deepEqual(
    queue.items.filter(({ state }) => state === "sending").map(({ name }) => name),
    ["0.pdf", "1.pdf", "2.pdf", "3.pdf"],
  );
  assert.deepEqual(startable(queue, now), []);
  const freed = markDone(queue, 2, "d2");
  assert.deepEqual(
    startable(freed, now).map(({ name }) => name),
    ["4.pdf"],
  );
  assert.equal(concurrentUploads, 4);
});

test("files that the service would refuse are never sent", () => {
  const queue = addFiles(
    emptyQueue,
    [file("a.txt"), file("b.pdf", 0), file("c.pdf", 2_000), file("d.pdf"), file("noextension")],
    1_000,
  );
  assert.deepEqual(
    queue.items.map(({ state, refusal }) => [state, refusal]),
    [
      ["refused", "unsupported_file_type"],
      ["refused", "empty_file"],
      ["refused", "file_too_large"],
      ["waiting", undefined],
      ["refused", "unsupported_file_type"],
    ],
  );
  assert.deepEqual(
    startable(queue, now).map(({ name }) => name),
    ["d.pdf"],
  );
});

test("a file is not added while the same file is in the queue, but can be added again after it has finished", () => {
  let queue = addFiles(emptyQueue, [file("a.pdf"), file("a.pdf"), file("a.pdf", 100, "other")]);
  assert.equal(queue.items.length, 2);
  queue = addFiles(markDone(send(queue), 1, "d"), [file("a.pdf")]);
  assert.equal(queue.items.length, 3);
});

test("if the service is busy, the whole queue waits: longer after each attempt, and at least as long as the service asks", () => {
  let queue = markFailed(send(many(5)), 1, busy(), now);
  assert.equal(queue.items[0]?.state, "waiting");
  assert.equal(queue.resumesAt, now + 2_000);
  assert.deepEqual(startable(queue, now + 1_999), []);
  assert.deepEqual(
    startable(queue, now + 2_000).map(({ id }) => id),
    [1],
  );
  queue = markFailed(markSending(queue, [1]), 1, busy({ status: 429, code: "rate_limited" }), now + 2_000);
  assert.equal(queue.resumesAt, now + 6_000);
  queue = markFailed(queue, 2, busy({ retryAfterSeconds: 30 }), now);
  assert.equal(queue.resumesAt, now + 30_000);
});

test("a file fails after its last attempt, and can be retried by the user", () => {
  let queue = send(many(1));
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    queue = markFailed(queue, 1, busy({ code: "connection_failed", status: 0 }), now);
    assert.equal(queue.items[0]?.state, "waiting");
  }
  queue = markFailed(queue, 1, busy({ code: "connection_failed", status: 0 }), now);
  assert.equal(queue.items[0]?.state, "failed");
  queue = retryFailed(queue);
  assert.equal(queue.items[0]?.state, "waiting");
  assert.equal(queue.items[0]?.attempts, 0);
  assert.equal(startable(queue, now).length, 1);
});

test("an error that concerns the file fails at once; if the document exists already, the error names it", () => {
  let queue = markFailed(send(many(2)), 1, { code: "infected_file", message: "", status: 422 }, now);
  queue = markFailed(
    queue,
    2,
    { code: "document_already_exists", message: "", status: 409, detail: { document_reference: "d9" } },
    now,
  );
  assert.deepEqual(
    queue.items.map(({ state, document }) => [state, document]),
    [
      ["failed", undefined],
      ["exists", "d9"],
    ],
  );
  assert.equal(queue.resumesAt, 0);
});

test("if the session ends, the queue pauses and no attempt is counted", () => {
  const queue = markFailed(send(many(2)), 1, { code: "unauthorized", message: "", status: 401 }, now);
  assert.equal(queue.pausedBy, "session");
  assert.equal(queue.items[0]?.state, "waiting");
  assert.equal(queue.items[0]?.attempts, 0);
  assert.deepEqual(startable(queue, now), []);
  assert.deepEqual(
    startable(resume(queue), now).map(({ id }) => id),
    [1],
  );
});

test("a paused queue sends nothing", () => {
  const queue = pause(many(3));
  assert.deepEqual(startable(queue, now), []);
  assert.equal(startable(resume(queue), now).length, 3);
});

test("cancelling removes unfinished files: those of one corpus, or one file", () => {
  const queue = addFiles(markDone(send(many(3)), 1, "d1"), [{ ...file("x.pdf"), corpus: "c2" }]);
  assert.deepEqual(
    cancel(queue, { id: 2 }).items.map(({ id }) => id),
    [1, 3, 4],
  );
  const left = cancel(queue, { corpus: "c1" });
  assert.deepEqual(
    left.items.map(({ id }) => id),
    [1, 4],
  );
  assert.equal(hasOpenUploads(left), true);
  assert.deepEqual(
    clearFinished(left, "c1").items.map(({ id }) => id),
    [4],
  );
});

test("totals count all bytes of finished files and none of refused files", () => {
  let queue = send(addFiles(emptyQueue, [file("a.pdf", 100), file("b.pdf", 300), file("c.txt", 999)]));
  queue = recordProgress(
    queue,
    new Map([
      [1, 150],
      [2, 60],
    ]),
  );
  assert.deepEqual(totalsOf(queue.items), {
    files: 3,
    open: 2,
    done: 0,
    exists: 0,
    failed: 0,
    refused: 1,
    bytes: 400,
    sentBytes: 160,
  });
  assert.equal(totalsOf(markDone(queue, 2, "d").items).sentBytes, 400);
});
