import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "../../../../../bench/scripted-model/faults.ts";
import type { ModelFailureKind } from "../../engine.ts";
import { type ModelClient, openModelClient } from "../model-client.ts";
import {
  type KeptMeter,
  keptMeter,
  never,
  openScripted,
  patience,
  question,
  readAll,
  right,
  settingsFor,
} from "./testing/open-scripted.ts";

const options = { timeout: 60_000 };
const { schema: _, ...ask } = question;
const rule = ({ schema }: { schema: unknown }) => (schema ? right : "The total is 119.00. It is due at once.");

const ways: Record<string, (client: ModelClient, meter: KeptMeter, signal: AbortSignal) => Promise<unknown>> = {
  object: (client, meter, signal) => client.object(question, meter, signal),
  text: (client, meter, signal) => readAll(client.text(ask, meter, signal)),
  embed: (client, meter, signal) => client.embed(["a", "b"], meter, signal),
};

// The tests run concurrently, because each test has its own endpoint and mostly waits.
describe("faults of an endpoint", { concurrency: 8 }, () => {
  for (const [way, call] of Object.entries(ways)) {
    for (const [name, faults] of Object.entries<Fault[]>({
      "429 without Retry-After": [{ kind: "status", status: 429 }],
      "429 with Retry-After": [{ kind: "status", status: 429, retryAfter: "1" }],
      "429 with a date": [{ kind: "status", status: 429, retryAfter: new Date(Date.now() - 1000).toUTCString() }],
      "500, 502 and 503": [500, 502, 503].map((status) => ({ kind: "status", status })),
      "a reset connection": [{ kind: "reset" }],
      "a slow answer": [{ kind: "slow", ms: 200 }],
    }))
      test(`${way}: ${name} is retried`, options, async (t) => {
        const { model, client, meter } = await openScripted(t, { rule });
        model.fail(...faults);
        await call(client, meter, never);
        assert.equal(meter.calls.length, model.received.length);
        const [first, second] = model.received;
        const waited = (second?.at ?? 0) - (first?.at ?? 0);
        if (name === "429 with Retry-After") assert.ok(waited >= 990, `${waited} ms`);
      });

    for (const [fault, kind, requests, message] of [
      [{ kind: "status", status: 429 }, "unavailable", 4, /429/],
      [{ kind: "status", status: 500 }, "unavailable", 4, /500/],
      [{ kind: "status", status: 429, retryAfter: "3600" }, "unavailable", 1, /429/],
      [{ kind: "status", status: 401 }, "unavailable", 1, /key/],
      [{ kind: "status", status: 403 }, "unavailable", 1, /access/],
      [{ kind: "status", status: 404 }, "unavailable", 1, /URL or model/],
      [{ kind: "status", status: 302, location: "/v1/elsewhere" }, "unavailable", 1, /a redirect/],
      [{ kind: "reset" }, "unavailable", 4, /No connection/],
      [{ kind: "stall-before" }, "timeout", 1, /1500 ms/],
      [{ kind: "stall-within" }, "timeout", 1, /silent for 300 ms/],
      [{ kind: "cut" }, "unavailable", way === "text" ? 1 : 4, /No connection/],
      [{ kind: "broken-body" }, "malformed", 1, /can't be read/],
      ...(way === "embed"
        ? []
        : ([[{ kind: "status", status: 418 }, "malformed", way === "object" ? 3 : 1, /418/]] as const)),
      ...(way === "embed"
        ? []
        : ([[{ kind: "huge", bytes: 100_000 }, "malformed", 1, /more than 50000 bytes/]] as const)),
      ...(way === "embed" ? [] : ([[{ kind: "length" }, "malformed", 1, /MODEL_MAX_OUTPUT_TOKENS/]] as const)),
      ...(way === "text"
        ? ([
            [{ kind: "unfinished" }, "unavailable", 1, /broke off/],
            [{ kind: "error-within" }, "unavailable", 1, /broke off/],
          ] as const)
        : []),
      ...(way === "object"
        ? ([
            [{ kind: "invalid-json" }, "malformed", 2, /not JSON/],
            [{ kind: "wrong-schema" }, "malformed", 2, /\/total is required/],
          ] as const)
        : []),
    ] as const satisfies readonly (readonly [Fault, ModelFailureKind, number, RegExp])[])
      test(`${way}: ${JSON.stringify(fault)} ends in ${kind}`, options, async (t) => {
        // Even on a busy machine, only endpoints that stall may reach the limits.
        const limits = {
          timeoutMs: fault.kind === "stall-before" ? 1_500 : 20_000,
          stallMs: fault.kind === "stall-within" ? 300 : 20_000,
        };
        const { model, client, meter } = await openScripted(
          t,
          { rule, apiKey: "secret-key" },
          { ...limits, maxResponseBytes: 50_000, apiKey: "secret-key", embedding: undefined },
        );
        const tried = way === "embed" ? await openEmbedding(model.url, t, limits) : client;
        model.always = fault;
        const failure = await call(tried, meter, never).then(
          () => assert.fail("nothing failed"),
          (error: Error & { kind: string }) => error,
        );
        assert.equal(failure.name, "ModelFailure", failure.stack ?? "");
        assert.equal(failure.kind, kind, failure.stack ?? "");
        assert.match(failure.message, message);
        assert.doesNotMatch(failure.message, /secret-key|119/);
        assert.equal(model.received.length, requests);
        assert.equal(meter.calls.length, requests);
        model.always = { kind: "none" };
        await call(tried, meter, never);
      });

    test(`${way}: cancelling closes the connection and rejects with the caller's reason`, options, async (t) => {
      for (const kind of ["stall-before", "stall-within"] as const) {
        const { model, client, meter } = await openScripted(t, { rule });
        model.always = { kind };
        const stop = new AbortController();
        const reason = new Error("Nobody waits any more.");
        const outcome = assert.rejects(call(client, meter, stop.signal), reason);
        await delay(200);
        const at = performance.now();
        stop.abort(reason);
        await outcome;
        while (model.received[0]?.abandonedAt === undefined && performance.now() - at < patience) await delay(10);
        const closedMs = (model.received[0]?.abandonedAt ?? Number.POSITIVE_INFINITY) - at;
        assert.ok(closedMs < patience / 2, "closed by the cancellation, not by the timeout of the call");
        assert.equal(meter.calls.length, 1);
        assert.equal(meter.calls[0]?.use.estimated, true);
        assert.ok((meter.calls[0]?.use.inputTokens ?? 0) > 0, "what was sent may have been read");
      }
    });

    test(`${way}: nothing is sent if the signal is already aborted`, options, async (t) => {
      const { model, client, meter } = await openScripted(t, { rule });
      const reason = new Error("No.");
      await assert.rejects(call(client, meter, AbortSignal.abort(reason)), reason);
      assert.equal(model.received.length, 0);
    });

    test(`${way}: an endpoint that is down is reported as unavailable`, options, async () => {
      const client = openModelClient(settingsFor("http://127.0.0.1:9/v1", { timeoutMs: 5_000 }));
      const meter = keptMeter();
      await assert.rejects(call(client, meter, never), { kind: "unavailable", message: /ECONNREFUSED/ });
      assert.equal(meter.calls.length, 4);
      assert.ok(meter.calls.every(({ use }) => use.inputTokens === 0 && use.outputTokens === 0));
      await client.close();
    });
  }
});

async function openEmbedding(
  url: string,
  t: { after: (fn: () => Promise<void>) => void },
  limits: { timeoutMs: number; stallMs: number },
): Promise<ModelClient> {
  const embedding = { url, model: "vectors", apiKey: "secret-key" };
  const client = openModelClient(settingsFor(url, { ...limits, embedding }));
  t.after(() => client.close());
  return client;
}

test("ending the iteration of a text closes the connection", options, async (t) => {
  const { model, client, meter } = await openScripted(t, { rule: () => "word ".repeat(500), eventMs: 5 });
  const brief = new AbortController();
  await assert.rejects(readAll(client.text(ask, meter, AbortSignal.any([brief.signal, AbortSignal.timeout(300)]))));
  model.rule = () => "first.";
  await readAll(client.text(ask, meter, never));
  model.rule = () => "word ".repeat(500);
  for await (const piece of client.text(ask, meter, never)) {
    assert.equal(piece, "word");
    break;
  }
  assert.equal(meter.calls.length, 3, "told before the loop ends");
  const at = performance.now();
  while (model.received[2]?.abandonedAt === undefined && performance.now() - at < patience) await delay(10);
  assert.ok((model.received[2]?.abandonedAt ?? Number.POSITIVE_INFINITY) - at < patience / 2);
});

test("concurrent calls are limited, and owners take turns", options, async (t) => {
  let running = 0;
  let most = 0;
  const order: string[] = [];
  const slow = async ({ prompt }: { prompt: string }) => {
    most = Math.max(most, ++running);
    await delay(30);
    running--;
    order.push(prompt);
    return right;
  };
  const { client } = await openScripted(t, { rule: slow }, { concurrency: 1 });
  const [many, few] = [keptMeter(), keptMeter()];
  const calls = [..."aaaaaa"].map(() => client.object({ ...question, prompt: "many" }, many, never));
  await delay(10);
  calls.push(client.object({ ...question, prompt: "few" }, few, never));
  await Promise.all(calls);
  assert.equal(most, 1);
  assert.ok(order.indexOf("few") <= 2, order.join());
});

test("a waiting call can be cancelled, and its timeout starts when it gets a slot", options, async (t) => {
  const { model, client, meter } = await openScripted(t, { rule }, { concurrency: 1, timeoutMs: 700 });
  model.always = { kind: "slow", ms: 300 };
  const stop = new AbortController();
  const calls = [1, 2, 3, 4].map(() => client.object(question, meter, never));
  const waiting = assert.rejects(client.object(question, meter, stop.signal), /enough/);
  stop.abort(new Error("enough"));
  await waiting;
  await Promise.all(calls);
  assert.equal(model.received.length, 4);
});

test("closing the client ends running calls", options, async (t) => {
  const { model, client, meter } = await openScripted(t, { rule });
  model.always = { kind: "stall-before" };
  const failing = Object.values(ways).map((call) =>
    assert.rejects(call(client, meter, never), { kind: "unavailable", message: "The model client is closed." }),
  );
  await delay(100);
  await client.close();
  await Promise.all(failing);
  assert.equal(meter.calls.length, 3);
});

test("a server that does not speak HTTP is reported as unavailable", options, async (t) => {
  const server = createServer().on("connection", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => void server.close());
  const client = openModelClient(settingsFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`));
  await assert.rejects(client.object(question, keptMeter(), never), { kind: "unavailable" });
  await client.close();
});
