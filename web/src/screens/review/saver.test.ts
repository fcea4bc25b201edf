import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { CorrectionJson } from "./review-model.ts";
import { type Draft, Saver, type Stored } from "./saver.ts";

const set = (value: number): CorrectionJson => ({ path: "/0/total", value });

/**
 * Simulates a service with one extraction. The test can make it fail, or change the extraction as
 * another user would.
 */
function service(draft?: Draft) {
  const server = {
    stored: { version: 1, corrections: [] } as Stored,
    requests: 0,
    failure: undefined as unknown,
    isReplyLost: false,
    draft: undefined as Draft | undefined,
  };
  const saver = new Saver<Stored>(server.stored, draft, {
    save: async (corrections, version) => {
      server.requests++;
      if (server.failure !== undefined) throw server.failure;
      if (version !== server.stored.version) throw "conflict";
      server.stored = { version: version + 1, corrections: structuredClone(corrections) };
      if (server.isReplyLost) throw "lost";
      return server.stored;
    },
    load: async () => server.stored,
    isConflict: (error) => error === "conflict",
    mayPass: (error) => error === "lost",
    onSaved: () => {},
    writeDraft: (written) => {
      server.draft = written;
    },
    delayMs: 500,
    retryMs: 5_000,
  });
  return { server, saver };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("changes in quick succession are saved in one request", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { server, saver } = service();
  saver.change([set(1)]);
  mock.timers.tick(300);
  saver.change([set(2)]);
  assert.equal(saver.state.kind, "waiting");
  assert.deepEqual(server.draft, { version: 1, corrections: [set(2)] });
  mock.timers.tick(500);
  await settle();
  assert.equal(server.requests, 1);
  assert.deepEqual(server.stored, { version: 2, corrections: [set(2)] });
  assert.equal(saver.state.kind, "saved");
  assert.equal(server.draft, undefined);
});

test("a change made during a save is saved right after that save", async () => {
  const { server, saver } = service();
  saver.change([set(1)]);
  const done = saver.flush();
  saver.change([set(2)]);
  assert.equal(await done, true);
  assert.deepEqual(server.stored, { version: 3, corrections: [set(2)] });
  saver.stop();
});

test("after a failed save, the draft is kept and the save is retried", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { server, saver } = service();
  server.failure = "lost";
  saver.change([set(1)]);
  assert.equal(await saver.flush(), false);
  assert.equal(saver.state.kind, "failed");
  assert.ok(server.draft);
  server.failure = undefined;
  mock.timers.tick(5_000);
  await settle();
  assert.equal(saver.state.kind, "saved");
});

test("a save is not retried automatically after an error that would occur again", async () => {
  const { server, saver } = service();
  server.failure = "invalid";
  saver.change([set(1)]);
  assert.equal(await saver.flush(), false);
  assert.equal(server.requests, 1);
  server.failure = undefined;
  assert.equal(await saver.flush(), true);
});

test("a change by another user is a conflict, in which either version can be kept", async () => {
  for (const isMine of [true, false]) {
    const { server, saver } = service();
    server.stored = { version: 2, corrections: [set(9)] };
    saver.change([set(1)]);
    assert.equal(await saver.flush(), false);
    assert.ok(saver.state.kind === "conflict");
    assert.equal(await saver.flush(), false);
    const { latest } = saver.state;
    if (isMine) assert.equal(await saver.overwrite(latest), true);
    else saver.adopt(latest);
    assert.equal(saver.state.kind, "saved");
    assert.deepEqual(server.stored.corrections, isMine ? [set(1)] : [set(9)]);
    assert.deepEqual(saver.corrections, server.stored.corrections);
  }
});

test("a save that succeeded, but whose response was lost, is not reported as a conflict", async () => {
  const { server, saver } = service();
  server.isReplyLost = true;
  saver.change([set(1)]);
  assert.equal(await saver.flush(), false);
  server.isReplyLost = false;
  assert.equal(await saver.flush(), true);
  assert.equal(saver.version, 2);
  saver.stop();
});

test("a draft of an earlier visit is saved, or reported as a conflict if the extraction has changed since", async () => {
  const same = service({ version: 1, corrections: [set(1)] });
  assert.equal(same.saver.state.kind, "waiting");
  assert.equal(await same.saver.flush(), true);
  assert.deepEqual(same.server.stored.corrections, [set(1)]);
  const other = service({ version: 0, corrections: [set(1)] });
  assert.equal(other.saver.state.kind, "conflict");
  assert.equal(service({ version: 0, corrections: [] }).saver.state.kind, "saved");
});
