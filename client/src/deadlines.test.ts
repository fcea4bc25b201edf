/** Tests the timeouts and signals of the client against scripted servers. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { failure, type Handler, isError, json, serve } from "./testing/scripted-server.ts";

describe("deadlines", { timeout: 20_000 }, () => {
  const never: Handler = () => {};

  test("a request that exceeds its timeout fails with timed_out, whether it waits for the response or sends its body", async () => {
    await using server = await serve(never, { timeoutMs: 150 });
    await assert.rejects(server.client.listAgents(), isError("timed_out", 0));
    await assert.rejects(server.client.listAgents({ timeoutMs: 50 }), isError("timed_out", 0));
    const hanging: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    };
    const upload = server.client.uploadDocument("a", { file: hanging, filename: "a.pdf" }, { timeoutMs: 150 });
    await assert.rejects(upload, isError("timed_out", 0));
  });

  test("the delay before a retry counts towards the timeout", async () => {
    await using server = await serve((_, response) =>
      json(response, 429, failure("rate_limited"), { "retry-after": "20" }),
    );
    await assert.rejects(server.client.listAgents({ timeoutMs: 200 }), isError("timed_out", 0));
  });

  test("an aborted request rejects with the reason of its signal", async () => {
    await using server = await serve(never);
    const reason = new Error("changed my mind");
    await assert.rejects(server.client.listAgents({ signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(server.client.listAgents({ signal: controller.signal }), reason);
  });

  test("a text stream is read to its end, or fails with timed_out", async () => {
    await using server = await serve(({ url }, response) => {
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8", "x-thread-id": "t-1" });
      const [first, second] = [Buffer.from("Grüße 😀").subarray(0, 9), Buffer.from("Grüße 😀").subarray(9)];
      response.write(first);
      if (url.endsWith("whole")) setTimeout(() => response.end(second), 50);
    });
    const answer = await server.client.askDocumentalist("whole", { query: "?" });
    assert.equal(answer.threadId, "t-1");
    assert.equal(await answer.text(), "Grüße 😀");
    const broken = await server.client.askDocumentalist("hangs", { query: "?" }, { timeoutMs: 300 });
    const pieces: string[] = [];
    await assert.rejects(
      (async () => {
        for await (const piece of broken) pieces.push(piece);
      })(),
      isError("timed_out", 0),
    );
    assert.deepEqual(pieces, ["Grüße "]);
  });

  test("events end with done; an error event, a broken connection and a timeout are thrown as errors", async () => {
    const thread = 'event: thread\ndata: {"thread_id":"t-1"}\n\n';
    const done = 'event: done\ndata: {"answer":"Yes.","metadata":{"thread_id":"t-1"}}\n\n';
    const rests: Record<string, string> = {
      whole: `: keep-alive\n\nevent: text\ndata: {"text":"Yes."}\n\n${done}`,
      failed: 'event: error\ndata: {"code":"agent_timeout","error":"Too slow."}\n\n',
      broken: 'event: text\ndata: {"te',
    };
    let closed = 0;
    await using server = await serve(({ url }, response) => {
      response.once("close", () => closed++);
      response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "r-1" });
      response.write(thread);
      const rest = rests[url.split("/").at(-2) ?? ""];
      if (rest !== undefined) setTimeout(() => response.end(rest), 20);
    });
    const names: string[] = [];
    const read = async (agent: string, timeoutMs?: number) => {
      names.length = 0;
      const options = timeoutMs === undefined ? {} : { timeoutMs };
      for await (const { event } of await server.client.askStream(agent, { query: "?" }, options)) names.push(event);
    };
    await read("whole");
    assert.deepEqual(names, ["thread", "text", "done"]);
    await assert.rejects(read("failed"), { code: "agent_timeout", message: "Too slow.", requestId: "r-1" });
    await assert.rejects(read("broken"), isError("connection_failed", 0));
    await assert.rejects(read("hangs", 200), isError("timed_out", 0));
    assert.deepEqual(names, ["thread"]);
    const before = closed;
    for await (const { event } of await server.client.askStream("hangs", { query: "?" })) {
      assert.equal(event, "thread");
      break;
    }
    while (closed === before) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(server.seen.filter(({ headers }) => headers["idempotency-key"] === undefined).length, 0);
  });
});

describe("waiting", { timeout: 20_000 }, () => {
  const outcome = { extract_id: "e", code: "agent_timeout", error: "Too slow.", detail: { http_status: 504 } };

  test("polling continues after 502 and 503, and ends when the work ends", async () => {
    const states = [502, "started", 503, "started", "success"];
    const handle: Handler = (_, response, count) => {
      const state = states[count - 1];
      if (typeof state === "number") json(response, state, failure("agent_unavailable"));
      else json(response, 200, { status: state, extract_id: "e", data: [], metadata: {} });
    };
    await using server = await serve(handle, { retries: 0 });
    assert.equal((await server.client.waitForExtraction("e")).status, "success");
    assert.equal(server.seen.length, 5);
  });

  test("the error of failed work and every permanent error are thrown", async () => {
    await using server = await serve((_, response, count) =>
      count === 1 ? json(response, 200, { status: "error", ...outcome }) : json(response, 404, failure("not_found")),
    );
    await assert.rejects(server.client.waitForExtraction("e"), isError("agent_timeout", 504));
    await assert.rejects(server.client.waitForExtraction("e"), isError("not_found", 404));
    assert.equal(server.seen.length, 2);
  });

  test("waiting ends at its timeout, or when its signal aborts", async () => {
    await using server = await serve((_, response) => json(response, 200, { status: "started", extract_id: "e" }));
    await assert.rejects(server.client.waitForExtraction("e", { timeoutMs: 100 }), isError("timed_out", 0));
    const controller = new AbortController();
    const reason = new Error("changed my mind");
    setTimeout(() => controller.abort(reason), 100);
    await assert.rejects(server.client.waitForExtraction("e", { signal: controller.signal }), reason);
  });
});
