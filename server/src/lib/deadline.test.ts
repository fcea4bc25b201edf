import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { startDeadline, withinTime } from "./deadline.ts";

const never = new AbortController().signal;

test("work within its time returns its result or throws its own error", async () => {
  assert.equal(await withinTime(10_000, never, async () => 1), 1);
  await assert.rejects(
    withinTime(10_000, never, async () => {
      throw new Error("own");
    }),
    /own/,
  );
});

test("work that exceeds its time fails with agent_timeout, whose cause is the error of the work", async () => {
  const late = withinTime(5, never, (signal) => setTimeout(10_000, undefined, { signal }));
  await assert.rejects(late, { code: "agent_timeout" });
});

test("if the caller's signal aborts first, there is no timeout error", async () => {
  const gone = AbortSignal.abort(new Error("gone"));
  const work = withinTime(5, gone, async (signal) => {
    await setTimeout(20);
    signal.throwIfAborted();
  });
  await assert.rejects(work, /gone/);
});

test("the reason of the signal is the timeout error passed to the deadline, if any", async () => {
  const before = performance.now();
  using deadline = startDeadline(5, never, () => new Error("too slow"));
  assert.ok(deadline.endsAt >= before + 5 && deadline.endsAt <= performance.now() + 5);
  await assert.rejects(setTimeout(10_000, undefined, { signal: deadline.signal }));
  assert.match(String(deadline.signal.reason), /too slow/);
  assert.equal(deadline.causeOf(deadline.signal.reason), deadline.signal.reason);
});

test("a disposed deadline never aborts", async () => {
  const deadline = startDeadline(5, never);
  deadline[Symbol.dispose]();
  await setTimeout(20);
  assert.equal(deadline.signal.aborted, false);
});
