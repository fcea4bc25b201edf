/** Tests the errors, paths, options and images of the client against scripted servers. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { SheafClient } from "./client.ts";
import { SheafError } from "./errors.ts";
import { failure, isError, json, serve, success } from "./testing/scripted-server.ts";

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

  test("an error response is thrown with its code, and a truncated image is an error", async () => {
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
