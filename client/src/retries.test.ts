/** Tests the retries of the client against scripted servers. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SheafError } from "./errors.ts";
import { failure, isError, json, serve, success } from "./testing/scripted-server.ts";

describe("retries", { timeout: 20_000 }, () => {
  test("a GET is retried after 429 and 503, and not before Retry-After", async () => {
    const times: number[] = [];
    await using server = await serve((_, response, count) => {
      times.push(performance.now());
      if (count === 1) return json(response, 429, failure("rate_limited"), { "retry-after": "1" });
      if (count === 2)
        return json(response, 503, failure("agent_unavailable"), {
          "retry-after": new Date(Date.now() + 2_000).toUTCString(),
        });
      json(response, 200, success([]));
    });
    await server.client.listAgents();
    assert.equal(server.seen.length, 3);
    assert.ok((times[1] as number) - (times[0] as number) >= 995, times.join());
    assert.ok((times[2] as number) - (times[1] as number) >= 900, times.join());
  });

  test("a GET is retried after a broken connection, a limited number of times", async () => {
    await using server = await serve((_, response) => void response.destroy(), { retries: 2 });
    await assert.rejects(server.client.listAgents(), isError("connection_failed", 0));
    assert.equal(server.seen.length, 3);
  });

  test("a POST is retried with the same idempotency key, whether the caller or the client chose it", async () => {
    const keys: unknown[] = [];
    await using server = await serve(({ headers }, response, count) => {
      keys.push(headers["idempotency-key"]);
      if (count % 3 === 1) response.destroy();
      else if (count % 3 === 2) json(response, 409, failure("conflict"), { "retry-after": "0" });
      else json(response, 201, success({}));
    });
    await server.client.createAgent({ name: "A", type: "EXTRACTOR" });
    await server.client.createAgent({ name: "A", type: "EXTRACTOR" }, { idempotencyKey: "mine" });
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
    assert.deepEqual(keys, [keys[0], keys[0], keys[0], "mine", "mine", "mine"]);
  });

  test("a permanent conflict is not retried", async () => {
    await using server = await serve((_, response) => json(response, 409, failure("conflict")));
    await assert.rejects(server.client.createGroup({ name: "Taken" }), { code: "conflict" });
    assert.equal(server.seen.length, 1);
  });

  test("a PUT and a DELETE are retried", async () => {
    await using server = await serve((_, response, count) =>
      count % 2 === 1 ? json(response, 503, failure("agent_unavailable")) : json(response, 200, success({})),
    );
    await server.client.deleteAgent("a");
    await server.client.putWebhook("extraction.completed", { url: "https://hooks.example.com/" });
    assert.equal(server.seen.length, 4);
  });

  test("a PATCH is not retried", async () => {
    await using server = await serve((_, response) =>
      json(response, 503, failure("agent_unavailable"), { "retry-after": "5" }),
    );
    await assert.rejects(server.client.updateAgent("a", {}), (error) => {
      isError("agent_unavailable", 503)(error);
      assert.equal((error as SheafError).retryAfterSeconds, 5);
      return true;
    });
    assert.equal(server.seen.length, 1);
  });

  test("a completed request whose response contained a secret is not retried", async () => {
    await using server = await serve((_, response) =>
      json(response, 409, { ...failure("conflict"), detail: { reference: "a" } }),
    );
    await assert.rejects(server.client.createCredential({ name: "a" }), isError("conflict", 409));
    assert.equal(server.seen.length, 1);
  });

  test("other errors and a long Retry-After are not retried", async () => {
    await using server = await serve((_, response, count) =>
      count === 1
        ? json(response, 500, failure("internal_error"))
        : json(response, 429, failure("rate_limited"), { "retry-after": "3600" }),
    );
    await assert.rejects(server.client.listAgents(), isError("internal_error", 500));
    await assert.rejects(server.client.listAgents(), isError("rate_limited", 429));
    assert.equal(server.seen.length, 2);
  });
});
