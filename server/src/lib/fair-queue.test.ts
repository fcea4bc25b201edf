import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FairQueue, type HeldItem } from "./fair-queue.ts";
import { withTenant } from "./tenant.ts";

test("tenants are served in turn, and the items of one tenant keep their order", () => {
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

test("the next item is that of the tenant that holds the fewest items; the tenant holds it until its release", () => {
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
  assert.ok(!queue.isCrowdedOut(2), "each holds at least one");
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

test("while two tenants wait, the numbers of items that they hold never differ by more than one", () => {
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
