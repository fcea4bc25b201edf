import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Slots } from "./slots.ts";

const never = new AbortController().signal;

test("owners take turns, and each owner's calls keep their order", async () => {
  const slots = new Slots(1);
  const [a, b, c] = [{}, {}, {}];
  const entered: string[] = [];
  const first = await slots.take(a, never);
  const take = async (owner: object, name: string) => {
    const giveBack = await slots.take(owner, never);
    entered.push(name);
    giveBack();
    giveBack();
  };
  const waiting = [take(a, "a1"), take(a, "a2"), take(a, "a3"), take(b, "b1"), take(b, "b2"), take(c, "c1")];
  first();
  await Promise.all(waiting);
  assert.deepEqual(entered, ["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("cancelled calls neither exceed nor lose slots", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ owner: fc.nat(3), cancelled: fc.boolean() }), { maxLength: 30 }),
      async (size, calls) => {
        const slots = new Slots(size);
        const owners = [{}, {}, {}, {}];
        let inside = 0;
        const outcomes = calls.map(async ({ owner, cancelled }) => {
          const stop = new AbortController();
          if (cancelled) queueMicrotask(() => stop.abort(new Error("stop")));
          const giveBack = await slots.take(owners[owner] as object, stop.signal);
          assert.ok(++inside <= size);
          await new Promise((resolve) => setImmediate(resolve));
          inside--;
          giveBack();
        });
        for (const { status, reason } of (await Promise.allSettled(outcomes)) as PromiseRejectedResult[])
          assert.ok(status !== ("rejected" as string) || reason.message === "stop", String(reason));
        const all = await Promise.all(owners.slice(0, size).map((owner) => slots.take(owner, never)));
        assert.equal(all.length, size);
      },
    ),
    { numRuns: 100 },
  );
});
