import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FairSlots } from "./fair-slots.ts";
import { withTenant } from "./tenant.ts";

const never = new AbortController().signal;

test("one tenant may hold all slots; once another waits, the next free slot goes to it", async () => {
  const slots = new FairSlots(2);
  const taken: string[] = [];
  const take = (tenant: string, name: string) =>
    withTenant(tenant, async () => {
      const slot = await slots.acquire(never);
      taken.push(name);
      return slot;
    });
  const [first, second] = await Promise.all([take("a", "a1"), take("a", "a2")]);
  const rest = [take("a", "a3"), take("a", "a4"), take("b", "b1")];
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  const b1 = await rest[2];
  assert.deepEqual(taken, ["a1", "a2", "b1"]);
  second[Symbol.dispose]();
  b1?.[Symbol.dispose]();
  await Promise.all(rest);
  assert.deepEqual(taken, ["a1", "a2", "b1", "a3", "a4"]);
});

test("a caller that stops waiting gets no slot", async () => {
  const slots = new FairSlots(1);
  const first = await slots.acquire(never);
  const leaving = new AbortController();
  const left = slots.acquire(leaving.signal);
  const waiting = slots.acquire(never);
  leaving.abort(new Error("gone"));
  await assert.rejects(left, /gone/);
  first[Symbol.dispose]();
  (await waiting)[Symbol.dispose]();
  await slots.acquire(never);
  await assert.rejects(slots.acquire(AbortSignal.abort(new Error("before"))), /before/);
});

test("tenants are served in turn, and the callers of one tenant in the order of their arrival", async () => {
  const slots = new FairSlots(1);
  const entered: string[] = [];
  const first = await slots.acquire(never, "a");
  const waiting = ["a1", "a2", "a3", "b1", "b2", "c1"].map(async (name) => {
    using _slot = await slots.acquire(never, name.charAt(0));
    entered.push(name);
  });
  first[Symbol.dispose]();
  await Promise.all(waiting);
  assert.deepEqual(entered, ["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("no more slots are held than exist, and no slot is lost if callers cancel at any moment", async () => {
  const calls = fc.array(fc.record({ tenant: fc.constantFrom("a", "b", "c"), cancelled: fc.boolean() }));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), calls, async (size, calls) => {
      const slots = new FairSlots(size);
      let inside = 0;
      const outcomes = calls.map(async ({ tenant, cancelled }) => {
        const stop = new AbortController();
        if (cancelled) queueMicrotask(() => stop.abort(new Error("stop")));
        using _slot = await slots.acquire(stop.signal, tenant);
        assert.ok(++inside <= size);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
      });
      for (const outcome of await Promise.allSettled(outcomes))
        assert.ok(outcome.status === "fulfilled" || outcome.reason.message === "stop");
      await Promise.all(Array.from({ length: size }, () => slots.acquire(never)));
    }),
    { numRuns: 100 },
  );
});

test("work that fails releases its slot", async () => {
  const slots = new FairSlots(1);
  await assert.rejects(
    slots.run(() => Promise.reject(new Error("failed"))),
    /failed/,
  );
  assert.equal(await slots.run(async () => 7), 7);
});
