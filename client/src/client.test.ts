/** Tests the client against scripted servers: tokens, retries, deadlines, errors, bodies. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { SheafClient, type SheafClientOptions } from "./client.ts";
import { SheafError } from "./errors.ts";

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
type Handler = (request: Seen, response: ServerResponse, count: number) => void | Promise<void>;

/**
 * Starts a server that issues tokens `token-1`, `token-2`, …, and passes all other requests to
 * `handle`.
 */
async function serve(handle: Handler, options: Partial<SheafClientOptions> & { token?: Handler } = {}) {
  const seen: Seen[] = [];
  let tokens = 0;
  const token: Handler =
    options.token ??
    ((_, response, count) =>
      json(response, 200, { access_token: `token-${count}`, token_type: "x-api-key", expires_in: "3600" }));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url = "", headers } = request;
    let body = "";
    for await (const chunk of request.setEncoding("latin1")) body += chunk;
    const entry = { method, url, headers, body };
    if (url.startsWith("/v2/token")) return token(entry, response, ++tokens);
    seen.push(entry);
    await handle(entry, response, seen.length);
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new SheafClient({ baseUrl, clientId: "id", clientSecret: "secret", ...options });
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { client, baseUrl, seen, tokens: () => tokens, [Symbol.asyncDispose]: close };
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "r-1", ...headers });
  response.end(JSON.stringify(body));
}
const failure = (code: string, detail?: object) => ({ status: "error", code, error: "Sorry.", detail });
const success = (data: unknown) => ({ status: "success", data });
const isError = (code: string, status: number) => (error: unknown) => {
  assert.ok(error instanceof SheafError, String(error));
  assert.deepEqual([error.code, error.status], [code, status]);
  return true;
};

describe("tokens", { timeout: 20_000 }, () => {
  test("concurrent calls share one token request, and the token is kept", async () => {
    await using server = await serve((_, response) => json(response, 200, success([])));
    await Promise.all(Array.from({ length: 20 }, () => server.client.listAgents()));
    await server.client.listAgents();
    assert.equal(server.tokens(), 1);
    assert.deepEqual(new Set(server.seen.map(({ headers }) => headers["x-api-key"])), new Set(["token-1"]));
  });

  test("a token is renewed shortly before it expires", async () => {
    const token: Handler = (_, response, count) =>
      json(response, 200, { access_token: `token-${count}`, expires_in: "1" });
    await using server = await serve((_, response) => json(response, 200, success([])), { token });
    await server.client.listAgents();
    await new Promise((resolve) => setTimeout(resolve, 850));
    await server.client.listAgents();
    assert.equal(server.tokens(), 2);
  });

  test("a refused token is renewed once for all concurrent calls", async () => {
    await using server = await serve(({ headers }, response) =>
      headers["x-api-key"] === "token-1"
        ? json(response, 401, failure("unauthorized"))
        : json(response, 200, success([])),
    );
    await Promise.all(Array.from({ length: 10 }, () => server.client.createAgent({ name: "A", type: "EXTRACTOR" })));
    assert.equal(server.tokens(), 2);
  });

  test("if the service refuses the renewed token as well, the call fails", async () => {
    await using server = await serve((_, response) => json(response, 401, failure("unauthorized")));
    await assert.rejects(server.client.listAgents(), isError("unauthorized", 401));
    assert.equal(server.seen.length, 2);
  });

  test("a token is requested by POST, without the secret in the URL", async () => {
    const urls: string[] = [];
    const token: Handler = ({ method, url, body, headers }, response) => {
      urls.push(url);
      assert.deepEqual([method, body], ["POST", "grant_type=client_credentials&client_id=id&client_secret=secret"]);
      assert.match(headers["content-type"] ?? "", /^application\/x-www-form-urlencoded/);
      json(response, 200, { access_token: "t", expires_in: "3600" });
    };
    await using server = await serve((_, response) => json(response, 200, success([])), { token });
    await server.client.listAgents();
    assert.deepEqual(urls, ["/v2/token"]);
  });

  test("a token is requested by GET if the service does not support POST", async () => {
    const methods: string[] = [];
    const token: Handler = ({ method, url }, response) => {
      methods.push(method);
      if (method === "POST") return json(response, 404, failure("not_found"));
      assert.equal(url, "/v2/token?client_id=id&client_secret=secret");
      json(response, 200, { access_token: "t", expires_in: "0" });
    };
    await using server = await serve((_, response) => json(response, 200, success([])), { token });
    await server.client.listAgents();
    await server.client.listAgents();
    assert.deepEqual(methods, ["POST", "GET", "GET"]);
  });

  test("wrong credentials are an error on every call", async () => {
    const token: Handler = (_, response) => json(response, 401, failure("invalid_client"));
    await using server = await serve((_, response) => json(response, 200, success([])), { token });
    for (let round = 0; round < 2; round++)
      await assert.rejects(server.client.listAgents(), isError("invalid_client", 401));
    assert.equal(server.seen.length, 0);
  });

  test("an aborted call does not cancel the token request of other calls", async () => {
    const token: Handler = (_, response) =>
      void setTimeout(() => json(response, 200, { access_token: "t", expires_in: "3600" }), 200);
    await using server = await serve((_, response) => json(response, 200, success([])), { token });
    const reason = new Error("gone");
    const controller = new AbortController();
    const left = server.client.listAgents({ signal: controller.signal });
    const stayed = server.client.listAgents();
    controller.abort(reason);
    await assert.rejects(left, reason);
    await stayed;
    assert.equal(server.tokens(), 1);
  });
});

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

  test("events end with done; an error event, a broken connection and a deadline are thrown", async () => {
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

describe("errors", { timeout: 20_000 }, () => {
  test("an error has code, status, detail and request id", async () => {
    await using server = await serve((_, response) =>
      json(response, 409, failure("document_already_exists", { document_reference: "d-1" })),
    );
    await assert.rejects(server.client.listAgents(), (error) => {
      isError("document_already_exists", 409)(error);
      assert.ok(error instanceof SheafError && error.is("document_already_exists"));
      assert.equal(error.detail.document_reference, "d-1");
      assert.deepEqual([error.requestId, error.message], ["r-1", "Sorry."]);
      return true;
    });
  });

  test("a response of another server and a redirect fail with unexpected_answer; the redirect is not followed", async () => {
    await using server = await serve(({ url }, response) => {
      if (url.endsWith("/html")) return void response.writeHead(502).end("<html>Bad gateway</html>");
      if (url.endsWith("/page")) return void response.writeHead(200).end("<html>Log in</html>");
      if (url.endsWith("/text")) return void response.writeHead(404).end("agent_not_found");
      response.writeHead(307, { location: "/v2/agents" }).end();
    });
    await assert.rejects(server.client.getAgent("html"), isError("unexpected_answer", 502));
    await assert.rejects(server.client.getAgent("page"), isError("unexpected_answer", 200));
    await assert.rejects(server.client.getAgent("text"), isError("agent_not_found", 404));
    await assert.rejects(server.client.getAgent("moved"), isError("unexpected_answer", 307));
    assert.equal(server.seen.length, 4);
  });

  test("a reference in a path is encoded, so that it cannot change the rest of the path", async () => {
    await using server = await serve((_, response) => json(response, 200, success({})));
    for (const reference of ["", ".", ".."]) assert.throws(() => server.client.getAgent(reference), TypeError);
    await server.client.getAgent("../x?y#z/%2e");
    assert.equal(server.seen[0]?.url, "/v2/agents/..%2Fx%3Fy%23z%2F%252e");
  });

  test("invalid options are refused by the constructor", () => {
    const make = (options: object) => () =>
      new SheafClient({ baseUrl: "http://localhost", clientId: "i", clientSecret: "s", ...options });
    for (const baseUrl of ["nowhere", "ftp://x", "http://a:b@x", "http://x?y", "http://x#y"])
      assert.throws(make({ baseUrl }), TypeError, baseUrl);
    assert.throws(make({ clientSecret: "" }), TypeError);
    assert.throws(make({ clientId: undefined }), TypeError);
  });

  test("printing a client does not reveal its secret", () => {
    const client = new SheafClient({ baseUrl: "http://localhost", clientId: "i", clientSecret: "top-secret" });
    assert.ok(!inspect(client, { depth: 9, showHidden: true }).includes("top-secret"));
  });
});

describe("images", { timeout: 20_000 }, () => {
  const bytes = Buffer.from([0, 255, 128, 10, 13]);

  test("the bytes of an image arrive unchanged, even after a retry", async () => {
    await using server = await serve((_, response, count) => {
      if (count === 1) return json(response, 503, failure("agent_unavailable"), { "retry-after": "0" });
      response.writeHead(200, { "content-type": "image/webp" }).end(bytes);
    });
    const image = await server.client.getDocumentPageImage("agent", "document", "2", { width: 1800 });
    assert.deepEqual([...image], [...bytes]);
    assert.equal(server.seen[1]?.url, "/v2/agents/agent/documents/document/pages/2/image?width=1800");
    assert.match(server.seen[1]?.headers.accept ?? "", /image\//);
  });

  test("an error in place of an image has its code, and a truncated image is an error", async () => {
    await using server = await serve((_, response, count) => {
      if (count === 1) return json(response, 404, failure("page_image_unavailable"));
      response.writeHead(200, { "content-type": "image/webp", "content-length": "100" }).write(bytes);
      setTimeout(() => response.destroy(), 50);
    });
    const get = () => server.client.getDocumentPageImage("agent", "document", "1");
    await assert.rejects(get(), isError("page_image_unavailable", 404));
    await assert.rejects(get(), (error) => error instanceof SheafError && error.code === "connection_failed");
  });
});
