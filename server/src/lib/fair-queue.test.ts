import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FairQueue, type HeldItem } from "./fair-queue.ts";
import { FairSlots } from "./fair-slots.ts";
import { withTenant } from "./tenant.ts";

const never = new AbortController().signal;

test("tenants take turns, and the items of one tenant keep their order", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3", "a4"]) queue.add(item, "a");
  for (const item of ["b1", "b2"]) queue.add(item, "b");
  queue.add("c1", "c");
  const served: (string | undefined)[] = [];
  while (queue.size > 0) {
    const turn = queue.next();
    served.push(turn?.item);
    turn?.release();
  }
  assert.deepEqual(served, ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("the tenant that holds the fewest is next, and holds one more until its release", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3"]) queue.add(item, "a");
  const [first, second] = [queue.next(), queue.next()];
  assert.deepEqual([first?.item, second?.item], ["a1", "a2"]);
  queue.add("b1", "b");
  queue.add("b2", "b");
  queue.add("b3", "b");
  assert.ok(queue.isCrowdedOut(2));
  const third = queue.next();
  assert.equal(third?.item, "b1");
  assert.ok(!queue.isCrowdedOut(2), "each holds one at least");
  assert.equal(queue.next()?.item, "b2");
  first?.release();
  first?.release();
  assert.equal(queue.next()?.item, "a3", "a holds one, b two");
});

test("items belong to the tenant on whose behalf the code runs", () => {
  const queue = new FairQueue<string>();
  withTenant("a", () => {
    queue.add("a1");
    queue.add("a2");
  });
  withTenant("b", () => queue.add("b1"));
  assert.deepEqual([queue.next()?.item, queue.next()?.item, queue.next()?.item], ["a1", "b1", "a2"]);
});

test("two waiting tenants never differ by more than one held item", () => {
  const step = fc.record({
    tenant: fc.constantFrom("a", "b", "c"),
    act: fc.constantFrom("add", "next", "release", "delete"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new FairQueue<{ tenant: string }>();
      const waiting: { tenant: string }[] = [];
      const held: { tenant: string; turn: HeldItem<{ tenant: string }> }[] = [];
      const heldBy = (tenant: string) => held.filter((each) => each.tenant === tenant).length;
      for (const { tenant, act } of steps) {
        if (act === "add") {
          const item = { tenant };
          waiting.push(item);
          queue.add(item, tenant);
        } else if (act === "delete") {
          const at = waiting.findIndex((item) => item.tenant === tenant);
          const [item] = at < 0 ? [] : waiting.splice(at, 1);
          if (item) assert.ok(queue.delete(item) && !queue.delete(item));
        } else if (act === "release") {
          const at = held.findIndex((each) => each.tenant === tenant);
          if (at >= 0) held.splice(at, 1)[0]?.turn.release();
        } else {
          const fewest = Math.min(...waiting.map((item) => heldBy(item.tenant)));
          const turn = queue.next();
          assert.equal(turn === undefined, waiting.length === 0);
          if (turn === undefined) continue;
          assert.equal(heldBy(turn.item.tenant), fewest);
          waiting.splice(waiting.indexOf(turn.item), 1);
          held.push({ tenant: turn.item.tenant, turn });
        }
        assert.equal(queue.size, waiting.length);
      }
    }),
  );
});

test("semaphore: one tenant may hold all slots; once another waits, the next free slot goes to it", async () => {
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

test("semaphore: a caller that stops waiting takes no slot", async () => {
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
