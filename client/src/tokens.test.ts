/** Tests the tokens of the client against scripted servers. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { failure, type Handler, isError, json, serve, success } from "./testing/scripted-server.ts";

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
