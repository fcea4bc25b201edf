/**
 * Access to the MCP server: tokens, metadata for OAuth clients, origins, settings, and hostile
 * messages.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { corpusOf, sampleBase64 } from "./helpers/corpus.ts";
import { anything } from "./helpers/hostile-text.ts";
import { connect, connectOverHttp } from "./helpers/mcp.ts";
import { credentialOf, join } from "./helpers/people.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

describe("access to the MCP server", () => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService("sqlite", { SHEAF_RATE_LIMIT: "0", SHEAF_ADDRESS_RATE_LIMIT: "0" });
    organization = await service.organization("Mine");
  });
  after(() => service[Symbol.asyncDispose]());

  const send = (body: unknown, headers: Record<string, string> = {}) =>
    organization.administrator.send("POST", "/mcp", body, headers);

  test("without a valid token, the response names the URL of the OAuth metadata", async () => {
    const metadata = `${service.url}/.well-known/oauth-protected-resource/mcp`;
    for (const token of ["", "rubbish"]) {
      const { status, body, headers } = await service.client(token).send("POST", "/mcp", list);
      assert.deepEqual([status, body.code], [401, "unauthorized"]);
      assert.equal(headers.get("www-authenticate"), `Bearer realm="Sheaf", resource_metadata="${metadata}"`);
    }
    const described = { authorization_servers: [service.url], resource: `${service.url}/mcp` };
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
      const { body } = await service.client("").send("GET", path);
      assert.deepEqual(body, { ...described, bearer_methods_supported: ["header"], resource_name: "Sheaf" });
    }
    const { headers } = await service.client("rubbish").send("GET", "/v2/agents");
    assert.equal(headers.get("www-authenticate"), null, "only this endpoint has metadata");
  });

  test("a credential of a member is refused, as in the API", async () => {
    const credential = await credentialOf(service, await join(service, organization, "member"));
    for (const [method, path, body] of [
      ["GET", "/v2/agents", undefined],
      ["POST", "/mcp", list],
    ] as const)
      assert.equal((await credential.send(method, path, body)).status, 403);
  });

  test("a token is accepted in the headers x-api-key and Authorization", async () => {
    const { token } = organization.administrator;
    for (const headers of [{ "x-api-key": token }, { authorization: `Bearer ${token}` }]) {
      await using mcp = await connectOverHttp(service.url, headers as Record<string, string>);
      assert.deepEqual(await mcp.use("map"), { corpora: [], extractors: [], total: {}, next_cursor: null });
    }
  });

  test("a client that knows only the URL and a credential finds the token endpoint and gets a token by itself", async () => {
    const { clientId, clientSecret } = organization.administrator;
    const authProvider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: service.url });
    await using mcp = await connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { authProvider }));
    assert.equal((await mcp.use("map")).next_cursor, null);
  });

  test("clients of every version of the protocol are served", async () => {
    const headers = { "x-api-key": organization.administrator.token };
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } });
    await using latest = await connect(transport(), "2026-07-28");
    assert.equal(latest.client.getProtocolEra(), "modern");
    assert.equal((await latest.use("map")).next_cursor, null);
    for (const protocolVersion of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
      const { status, body } = await send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
      assert.deepEqual([status, body.result.protocolVersion], [200, protocolVersion]);
    }
    assert.equal((await send({ jsonrpc: "2.0", method: "notifications/initialized" })).status, 202);
    const unknown = await send(list, { "mcp-protocol-version": "1999-01-01" });
    assert.equal(unknown.status, 400);
  });

  test("requests of other sites are refused, including origins that merely contain the right host", async () => {
    const own = new URL(service.url).origin;
    for (const [origin, status] of [
      [own, 200],
      ["http://localhost:6274", 200],
      ["https://evil.example", 403],
      ["http://127.0.0.1.evil.example", 403],
      ["null", 403],
      ["", 403],
    ] as const)
      assert.equal((await send(list, { origin })).status, status, origin);
  });

  test("GET and DELETE are refused", async () => {
    for (const method of ["GET", "DELETE"]) {
      const { status, headers } = await organization.administrator.send(method, "/mcp");
      assert.deepEqual([status, headers.get("allow")], [405, "POST"]);
    }
  });

  test("messages that violate the protocol are refused, and never cause an unexpected error", async () => {
    for (const body of ["", "null", "[]", "{", `[${JSON.stringify(list)}]`, "1"]) {
      const answer = await send(body, { "content-type": "application/json" });
      assert.deepEqual([answer.status, answer.body.code], [422, "invalid_request"], body);
    }
    const large = await send({ ...list, params: { filler: "a".repeat(5_000_000) } });
    assert.equal(large.status, 422);
    const names = fc.constantFrom("find", "map", "read", "extract", "verify", "x");
    const methods = fc.constantFrom("tools/call", "tools/list", "initialize", "ping", "subscriptions/listen", "x");
    const values = fc.dictionary(
      fc.constantFrom("query", "corpus", "document", "agent", "quote", "cursor", "from", "file", "extraction", "boxes"),
      fc.oneof(anything, fc.uuid()),
    );
    const messages = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0"),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: methods,
        params: fc.oneof(anything, fc.record({ name: names, arguments: fc.oneof(values, anything) })),
      },
      { requiredKeys: ["method"] },
    );
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        const { status, body } = await send(message);
        assert.ok([200, 202, 400].includes(status), `${status} ${JSON.stringify(body)}`);
        assert.doesNotMatch(JSON.stringify(body), /internal_error/);
      }),
      { numRuns: 300 },
    );
  });

  test("a setting switches the server off", async () => {
    await using off = await openTestService("sqlite", { SHEAF_MCP: "off" });
    const { administrator } = await off.organization("Off");
    for (const [method, path] of [
      ["POST", "/mcp"],
      ["GET", "/.well-known/oauth-protected-resource"],
      ["GET", "/.well-known/oauth-authorization-server"],
    ] as const) {
      const { status, body } = await administrator.send(method, path, method === "POST" ? list : undefined);
      assert.deepEqual([status, body.code], [404, "not_found"], path);
    }
  });

  test("if writing is allowed, an extraction runs in the background and is recorded in a thread", async () => {
    await using writing = await openTestService("sqlite", { SHEAF_MCP: "write" });
    const owner = await writing.organization("Writing");
    const rules = { pattern: "^DE-" };
    const params = [{ name: "invoice_number", format: "text", description: "Number of the invoice", items: [], rules }];
    const agent = await corpusOf(writing, owner).makeAgent("EXTRACTOR", { params });
    await using mcp = await connectOverHttp(writing.url, { "x-api-key": owner.administrator.token });
    const { tools } = await mcp.client.listTools();
    assert.equal(tools.find(({ name }) => name === "extract")?.annotations?.readOnlyHint, false);
    const file = { filename: "invoice.pdf", content: sampleBase64 };
    const { extraction } = await mcp.use("extract", { agent, file, background: true });
    let result = await mcp.use("extract", { extraction });
    for (const deadline = Date.now() + 60_000; result.status === "started" && Date.now() < deadline; )
      result = await mcp.use("extract", { extraction });
    assert.deepEqual(
      result.values.map(({ path, value, quote }: Record<string, unknown>) => [path, value, quote]),
      [["/invoice_number", "NL-2026-0417", "NL-2026-0417"]],
    );
    assert.equal(result.rules_failed, 1);
    assert.deepEqual(result.values[0].failed_rules, [
      { rule: "pattern", message: '"NL-2026-0417" does not match ^DE-' },
    ]);
    const threads = await writing.db.selectFrom("threads").select("id").where("agent_id", "=", agent).execute();
    assert.deepEqual(
      threads.map(({ id }) => id),
      [result.thread],
    );
    const other = await writing.organization("Other");
    await using theirs = await connectOverHttp(writing.url, { "x-api-key": other.administrator.token });
    assert.match(await theirs.fail("extract", { extraction }), /\(not_found\)/);
  });
});
