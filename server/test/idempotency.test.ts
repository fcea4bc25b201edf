/** Retried requests with an idempotency key, over HTTP on both databases. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { beginRequest, KeyClaim } from "../src/features/idempotency/idempotency.service.ts";
import { newId } from "../src/lib/ids.ts";
import { corpusOf, sampleBase64 as file } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { limit as limitTo } from "./helpers/plans.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

describeOverDatabases("idempotency", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Again");
  });
  after(() => service[Symbol.asyncDispose]());

  const post = (path: string, body: object, key: string, who = organization) =>
    who.administrator.send("POST", path, body, { "idempotency-key": key });
  const agents = async () => (await organization.administrator.send("GET", "/v2/agents")).body.data.length;

  test("a repeated request gets the first response, and its work is done once", async () => {
    const [key, earlier] = [newId(), await agents()];
    const body = { name: "Once", type: "EXTRACTOR" };
    const first = await post("/v2/agents", body, key);
    const second = await post("/v2/agents", body, key);
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(
      [first, second].map(({ headers }) => headers.get("idempotent-replayed")),
      [null, "true"],
    );
    assert.notEqual(first.headers.get("x-request-id"), second.headers.get("x-request-id"));
    assert.equal(await agents(), earlier + 1);
  });

  test("of 20 concurrent requests, one does the work and the others get its response or a conflict", async () => {
    const [key, earlier] = [newId(), await agents()];
    const body = { name: "Many", type: "DOCUMENTALIST" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("/v2/agents", body, key)));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status, body: { code } }) => status === 409 && code === "conflict");
    assert.equal(made.length + refused.length, 20);
    for (const { headers } of refused) assert.equal(headers.get("retry-after"), "1");
    assert.equal(new Set(made.map((answer) => answer.body.data.reference)).size, 1);
    assert.equal(await agents(), earlier + 1);
  });

  test("a repeated upload gets its response even if the first attempt filled the quota", async () => {
    const full = await service.organization("Full");
    await limitTo(service, full, { max_documents_per_agent: 1 });
    const path = `/v2/agents/${await corpusOf(service, full).makeAgent()}/documents`;
    const [key, body] = [newId(), { filename: "a.pdf", file }];
    const first = await post(path, body, key, full);
    assert.equal(first.status, 202);
    const retry = await post(path, body, key, full);
    assert.deepEqual([retry.status, retry.body], [202, first.body]);
    const other = await post(path, { ...body, filename: "b.pdf" }, newId(), full);
    assert.deepEqual([other.status, other.body.code], [403, "quota_exceeded"]);
    const reused = await post(path, { ...body, filename: "b.pdf" }, key, full);
    assert.deepEqual([reused.status, reused.body.code], [422, "invalid_request"]);
  });

  test("a request with the same key but another body, file, path or organization is not treated as a repetition", async () => {
    const key = newId();
    const agent = await corpusOf(service, organization).makeAgent();
    const path = `/v2/agents/${agent}/documents`;
    const first = await post(path, { filename: "a.pdf", file }, key);
    assert.equal(first.status, 202);
    assert.deepEqual((await post(path, { filename: "a.pdf", file }, key)).body, first.body);
    const other = Buffer.from("other").toString("base64");
    for (const [to, body] of [
      [path, { filename: "b.pdf", file }],
      [path, { filename: "a.pdf", file: other }],
      ["/v2/agents", { name: "x", type: "EXTRACTOR" }],
    ] as const) {
      const answer = await post(to, body, key);
      assert.deepEqual([answer.status, answer.body.code], [422, "invalid_request"]);
    }
    const neighbour = await service.organization("Another");
    assert.equal((await post("/v2/agents", { name: "x", type: "EXTRACTOR" }, key, neighbour)).status, 201);
  });

  test("failed requests are not stored, so they can be repeated; a malformed key is refused", async () => {
    const key = newId();
    assert.equal((await post("/v2/agents", { name: "", type: "EXTRACTOR" }, key)).status, 422);
    const unreadable = { filename: "a.pdf", file: "AAAA", params: [{ name: "a", format: "text", description: "a" }] };
    assert.equal((await post("/v2/extractor", unreadable, key)).status, 502);
    assert.equal((await post("/v2/agents", { name: "Now", type: "EXTRACTOR" }, key)).status, 201);
    for (const wrong of ["", "with blank", "a".repeat(256)]) {
      const answer = await post("/v2/agents", { name: "x", type: "EXTRACTOR" }, wrong);
      assert.deepEqual([wrong, answer.status, answer.body.code], [wrong, 422, "invalid_request"]);
    }
  });

  test("a repeated request gets a streamed response again, unchanged", async () => {
    const agent = await corpusOf(service, organization).makeAgent();
    const key = newId();
    const [first, second] = [
      await post(`/v2/documentalist/${agent}`, { query: "What is the total?" }, key),
      await post(`/v2/documentalist/${agent}`, { query: "What is the total?" }, key),
    ];
    assert.ok(first.body.length > 0);
    assert.equal(second.body, first.body);
    assert.equal(second.headers.get("x-thread-id"), first.headers.get("x-thread-id"));
  });

  test("a key belongs to its sender: the same key of another credential or user does not get the stored response", async () => {
    const [key, body] = [newId(), { name: "Shared", type: "EXTRACTOR" }];
    const created = await organization.administrator.send("POST", "/v2/organization/credentials", { name: "other" });
    const { client_id: clientId, client_secret: clientSecret } = created.body.data;
    const token = await organization.administrator.send(
      "GET",
      `/v2/token?client_id=${clientId}&client_secret=${clientSecret}`,
    );
    const other = service.client(token.body.access_token);
    const first = await post("/v2/agents", body, key);
    const second = await other.send("POST", "/v2/agents", body, { "idempotency-key": key });
    assert.deepEqual([first.status, second.status, second.headers.get("idempotent-replayed")], [201, 201, null]);
    assert.notEqual(first.body.data.reference, second.body.data.reference);
  });

  test("a response that contains a secret is not stored, so a repeated request does not get it", async () => {
    const key = newId();
    const body = { name: "Secret" };
    const first = await post("/v2/organization/credentials", body, key);
    assert.equal(first.status, 201);
    const { client_id: reference, client_secret: secret } = first.body.data;
    const second = await post("/v2/organization/credentials", body, key);
    assert.deepEqual([second.status, second.body.code, second.body.detail], [409, "conflict", { reference }]);
    assert.doesNotMatch(JSON.stringify(second.body), new RegExp(secret));
    const rows = await service.db.selectFrom("request_keys").selectAll().where("key", "=", key).execute();
    assert.deepEqual(
      rows.map(({ reply, reference }) => [reply, reference]),
      [[null, reference]],
    );
  });

  test("a key can be used again as soon as the process that used it has crashed, and after a day", async () => {
    const deps = { db: service.db, keys: service.keys, process: newId() };
    const { caller } = organization;
    const [dead, alive, old] = [newId(), newId(), newId()];
    assert.ok((await beginRequest(deps, caller, dead, "a")) instanceof KeyClaim);
    // `live_processes` does not contain the process that used the key, as after a crash.
    assert.ok((await beginRequest(deps, caller, dead, "b")) instanceof KeyClaim);

    await service.db.insertInto("live_processes").values({ id: deps.process, worker: deps.process }).execute();
    const claim = await beginRequest(deps, caller, alive, "a");
    assert.ok(claim instanceof KeyClaim);
    await assert.rejects(beginRequest(deps, caller, alive, "a"), { code: "conflict" });
    await claim.release();

    const begun = await beginRequest(deps, caller, old, "a");
    assert.ok(begun instanceof KeyClaim);
    const reply = { status: 200, headers: {}, body: { n: 1 } };
    await service.db.transaction().execute((transaction) => begun.keep(transaction, reply));
    await begun.release();
    assert.deepEqual(await beginRequest(deps, caller, old, "a"), reply);
    const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await service.db.updateTable("request_keys").set({ created_at: yesterday }).where("key", "=", old).execute();
    assert.ok((await beginRequest(deps, caller, old, "b")) instanceof KeyClaim);
    await service.db.deleteFrom("live_processes").where("id", "=", deps.process).execute();
  });

  test("if another request took over the key, the slower request commits nothing", async () => {
    const deps = { db: service.db, keys: service.keys, process: newId() };
    const key = newId();
    const slow = await beginRequest(deps, organization.caller, key, "a");
    assert.ok(slow instanceof KeyClaim);
    assert.ok((await beginRequest(deps, organization.caller, key, "a")) instanceof KeyClaim);
    const commit = service.db.transaction().execute((transaction) => slow.keepReference(transaction, "x"));
    await assert.rejects(commit, { code: "conflict" });
  });
});
