import assert from "node:assert/strict";
import { test } from "node:test";
import { LoadGate } from "./load-gate.ts";

function gateAt(maxRequests = 10) {
  const clock = { now: 0 };
  const wait = { ms: 0, probe() {} };
  const reports: number[] = [];
  const gate = new LoadGate(
    maxRequests,
    (refused) => reports.push(refused),
    () => clock.now,
  );
  gate.watch(wait);
  /**
   * Simulates one turn of the event loop. Returns how many milliseconds after its start the gate
   * closed.
   */
  const turn = (ms: number, headers = {}, network = "192.0.2.1"): number | undefined => {
    let closedAt: number | undefined;
    for (let at = 0; at < ms; at++, clock.now++) if (gate.isClosedTo(headers, network)) closedAt ??= at;
    gate.tick();
    return closedAt;
  };
  return { gate, wait, turn, reports, [Symbol.dispose]: () => gate[Symbol.dispose]() };
}

test("with short turns, or a single long turn, no request is refused", () => {
  using given = gateAt();
  for (let i = 0; i < 100; i++) assert.equal(given.turn(200), undefined);
  assert.equal(given.turn(700), undefined);
  for (let i = 0; i < 100; i++) assert.equal(given.turn(20), undefined);
});

test("while turns stay long, each turn admits requests only in its first 250 ms; after a short turn, all requests are admitted again", () => {
  using given = gateAt();
  for (let i = 0; i < 7; i++) given.turn(300);
  for (let i = 0; i < 10; i++) assert.equal(given.turn(400), 250);
  assert.equal(given.turn(240), undefined);
  assert.equal(given.turn(400), undefined);
});

test("while connections wait too long, all requests are refused for a quarter of the time", () => {
  using given = gateAt();
  given.wait.ms = 300;
  for (let i = 0; i < 80; i++) assert.equal(given.turn(25), undefined);
  given.turn(25);
  let closed = 0;
  for (let i = 0; i < 240; i++) if (given.turn(25) === 0) closed++;
  assert.equal(closed, 60);
  assert.equal(given.turn(25), 0);
  given.wait.ms = 10;
  given.turn(25);
  assert.equal(given.turn(25), undefined);
});

test("requests beyond the maximum are refused", () => {
  using given = gateAt(2);
  const first = given.gate.enter("a");
  assert.ok(given.gate.enter("a"));
  assert.equal(given.gate.enter("a"), undefined);
  first?.[Symbol.dispose]();
  assert.ok(given.gate.enter("a"));
});

test("a tenant with far fewer requests under way than another is not refused because of the other's load", () => {
  using given = gateAt(100);
  const [light, heavy] = [{ "x-api-key": "light" }, { "x-api-key": "heavy" }];
  for (let i = 0; i < 10; i++) given.gate.enter("heavy", heavy);
  const own = Array.from({ length: 4 }, () => given.gate.enter("light", light));
  for (let i = 0; i < 7; i++) given.turn(300);
  assert.equal(given.turn(400, light), undefined);
  assert.equal(given.turn(400, heavy), 250);
  // Requests with unknown credentials are attributed to their network, which has no other requests
  // under way.
  assert.equal(given.turn(400, { "x-api-key": "new" }), undefined);
  own.push(given.gate.enter("light", light));
  assert.equal(given.turn(400, light), 250);
});

test("if every tenant has few requests under way, all tenants are treated alike", () => {
  using given = gateAt(100);
  for (let i = 0; i < 50; i++) given.gate.enter(`tenant ${i}`, { "x-api-key": `${i}` });
  for (let i = 0; i < 7; i++) given.turn(300);
  assert.equal(given.turn(400, { "x-api-key": "new" }), 250);
});

test("refused requests are reported once per second", () => {
  using given = gateAt();
  given.turn(20);
  for (let i = 0; i < 150; i++) {
    given.gate.refuse();
    given.turn(20);
  }
  assert.deepEqual(given.reports, [1, 50, 50]);
});
