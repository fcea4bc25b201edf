import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RateLimiter } from "./rate-limiter.ts";

function limiterAt({ quota = 60, maxClients = 1000 } = {}) {
  const clock = { now: 1_000_000 };
  return { clock, limiter: new RateLimiter({ quota, windowMs: 60_000, maxClients }, () => clock.now) };
}

test("allows the quota in a burst, then as many requests as refill", () => {
  const { clock, limiter } = limiterAt();
  for (let i = 0; i < 60; i++) assert.equal(limiter.consume("a"), undefined);
  assert.equal(limiter.consume("a"), 1_000);
  assert.deepEqual(limiter.allowanceOf("a"), { remaining: 0, fullInMs: 60_000 });
  clock.now += 990;
  assert.equal(limiter.consume("a"), 10);
  clock.now += 10;
  assert.equal(limiter.consume("a"), undefined);
  clock.now += 5_000;
  assert.equal(limiter.consume("a", 6), 1_000);
  assert.equal(limiter.consume("a", 5), undefined);
  assert.equal(limiter.consume("b"), undefined, "another client");
  clock.now += 60_000;
  assert.deepEqual(limiter.allowanceOf("a"), { remaining: 60, fullInMs: 0 });
});

test("refunded requests are available again", () => {
  const { limiter } = limiterAt();
  limiter.consume("a", 10);
  assert.equal(limiter.allowanceOf("a").remaining, 50);
  limiter.refund("a", 9);
  assert.equal(limiter.allowanceOf("a").remaining, 59);
});

test("within any window at most twice the quota is admitted, and evenly spaced requests below the rate are always admitted", () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 400 });
  const property = fc.property(pauses, fc.integer({ min: 1, max: 50 }), (waits, quota) => {
    const { clock, limiter } = limiterAt({ quota });
    const passed: number[] = [];
    for (const wait of waits) {
      clock.now += wait;
      if (limiter.consume("a") === undefined) passed.push(clock.now);
    }
    for (const start of passed)
      assert.ok(passed.filter((at) => at >= start && at < start + 60_000).length <= 2 * quota);
  });
  fc.assert(property);
  const { clock, limiter } = limiterAt({ quota: 60 });
  for (let i = 0; i < 1_000; i++) {
    assert.equal(limiter.consume("a"), undefined);
    clock.now += 1_000;
  }
});

test("idle clients are forgotten; beyond the maximum, the one idle longest is forgotten first", () => {
  const { clock, limiter } = limiterAt({ maxClients: 1_000 });
  for (let i = 0; i < 60; i++) limiter.consume("busy");
  for (let i = 0; i < 100_000; i++) {
    limiter.consume(`client ${i}`);
    if (i % 500 === 0) limiter.consume("busy");
    assert.ok(limiter.size <= 1_000);
  }
  assert.equal(limiter.size, 1_000);
  clock.now += 61_000;
  for (let i = 0; i < 600; i++) limiter.consume(`new client ${i % 10}`);
  assert.equal(limiter.size, 10);
});
