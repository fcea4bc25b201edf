/**
 * Asynchronous extractions and classifications over HTTP: immediate responses, failures, and the
 * result, which is the same in callback, event and polled state.
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkCorpus } from "../src/features/documents/corpus-check.ts";
import { openReceiver, type Receiver } from "../src/net/testing/receiver.ts";
import { corpusOf, sampleBase64 as file } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const outbound = { SHEAF_OUTBOUND_ALLOW: "127.0.0.2", SHEAF_OUTBOUND_HTTP: "on" };
const params = [{ name: "total", format: "number", description: "Total amount" }];
describeOverDatabases("operations", (dialect) => {
  let service: TestService;
  let receiver: Receiver;
  let organization: TestOrganization;

  before(async () => {
    service = await openTestService(dialect, outbound);
    receiver = await openReceiver({ host: "127.0.0.2" });
    organization = await service.organization("Operations");
    for (const event of ["extraction.completed", "classification.completed"]) {
      const url = receiver.url(`/events/${event}`);
      await organization.administrator.send("PUT", `/v2/organization/webhooks/${event}`, { url });
    }
  });
  after(async () => {
    await receiver?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const send = (method: string, path: string, body?: object) => organization.administrator.send(method, path, body);
  const post = (path: string, body: object) => send("POST", path, { filename: "invoice.pdf", file, ...body });
  const ended = async (path: string) => {
    for (const deadline = performance.now() + 20_000; ; await sleep(20)) {
      const answer = await send("GET", path);
      assert.equal(answer.status, 200);
      if (answer.body.status !== "started") return answer.body;
      assert.ok(performance.now() < deadline, "it takes too long");
    }
  };
  /** Returns the body of the only request to `path` that contains `text`. */
  const told = async (path: string, text: string) => {
    for (const deadline = performance.now() + 10_000; ; await sleep(10)) {
      const found = receiver.received.filter((one) => one.path === path && one.body.includes(text));
      if (found.length > 0) {
        assert.equal(found.length, 1);
        return JSON.parse(found[0]?.body.toString() ?? "");
      }
      assert.ok(performance.now() < deadline, `nothing arrived at ${path}`);
    }
  };
  const idle = () => corpusOf(service, organization).idle();

  test("an extraction responds at once; callback, event and polled state have the same result", async () => {
    const started = await post("/v2/extractor/async", { callback: receiver.url("/callback"), params });
    assert.equal(started.status, 200);
    const { extract_id } = started.body;
    assert.deepEqual(started.body, { status: "started", extract_id });
    assert.match(extract_id, /^[0-9a-f-]{36}$/);
    const outcome = await ended(`/v2/extractor/async/${extract_id}`);
    const { duration, thread_id } = outcome.metadata;
    const metadata = { filename: "invoice.pdf", duration, tokens_consumed: 0, thread_id };
    assert.deepEqual(outcome, { status: "success", extract_id, data: [{ total: 1021.8 }], metadata });
    assert.deepEqual(await told("/callback", extract_id), outcome);
    const event = await told("/events/extraction.completed", extract_id);
    assert.deepEqual([event.event, event.data], ["extraction.completed", outcome]);
    const thread = await service.db.selectFrom("threads").selectAll().where("id", "=", thread_id).executeTakeFirst();
    assert.equal(thread?.organization_id, organization.id);
    await idle();
    assert.deepEqual(await readdir(join(service.config.filesDir, "operations")).catch(() => []), []);
  });

  test("the params of an agent are used, and evidence is returned on request", async () => {
    const agent = await send("POST", "/v2/agents", {
      name: "Invoices",
      type: "EXTRACTOR",
      configuration: { params: params.map((param) => ({ ...param, items: [] })) },
    });
    assert.equal(agent.status, 201, JSON.stringify(agent.body));
    const { reference } = agent.body.data;
    const path = `/v2/extractor/async/${reference}`;
    const { extract_id } = (await post(path, { callback: receiver.url("/agent"), include: ["evidence"] })).body;
    const outcome = await ended(`/v2/extractor/async/${extract_id}`);
    assert.equal(outcome.metadata.evidence[0].total.quote, "£1,021.80");
    const unknown = await post("/v2/extractor/async/nobody", { callback: receiver.url("/agent") });
    assert.deepEqual([unknown.status, unknown.body.code], [404, "agent_not_found"]);
    const library = await corpusOf(service, organization).makeAgent();
    assert.equal((await post(`/v2/extractor/async/${library}`, { callback: receiver.url("/agent") })).status, 404);
  });

  test("an unreadable file causes the same error as in a synchronous call, in callback, event and polled state", async () => {
    const broken = { file: Buffer.from("%PDF-1.7 but no more").toString("base64") };
    const synchronous = await post("/v2/extractor", { ...broken, params });
    const { extract_id } = (await post("/v2/extractor/async", { ...broken, callback: receiver.url("/failed"), params }))
      .body;
    const { code, error } = synchronous.body;
    const outcome = { status: "error", extract_id, code, error, detail: { http_status: synchronous.status } };
    assert.deepEqual(await ended(`/v2/extractor/async/${extract_id}`), outcome);
    assert.deepEqual(await told("/failed", extract_id), outcome);
    assert.deepEqual((await told("/events/extraction.completed", extract_id)).data, outcome);
    const { classification_id } = (await post("/v2/classification/async", broken)).body;
    const classified = await ended(`/v2/classification/async/${classification_id}`);
    assert.deepEqual(
      [classified.status, classified.code, classified.detail],
      ["error", "classification_failed", { http_status: 502 }],
    );
    assert.deepEqual((await told("/events/classification.completed", classification_id)).data, classified);
  });

  test("an extraction without a callback can be polled, and emits its event", async () => {
    const sent = service.db.selectFrom("deliveries").select("id").where("callback_url", "is not", null);
    const callbacks = async () => (await sent.execute()).length;
    const before = await callbacks();
    const agent = await organization.administrator.send("POST", "/v2/agents", {
      name: "Polled",
      type: "EXTRACTOR",
      configuration: { params: params.map((param) => ({ ...param, items: [] })) },
    });
    for (const [path, body] of [
      ["/v2/extractor/async", { params }],
      ["/v2/extractor/async", { params, callback: null }],
      [`/v2/extractor/async/${agent.body.data.reference}`, {}],
    ] as const) {
      const started = await post(path, body);
      assert.equal(started.status, 200, JSON.stringify(started.body));
      const { extract_id } = started.body;
      const outcome = await ended(`/v2/extractor/async/${extract_id}`);
      assert.equal(outcome.status, "success");
      assert.deepEqual((await told("/events/extraction.completed", extract_id)).data, outcome);
    }
    assert.equal(await callbacks(), before);
  });

  test("a classification covers all pages, even without a callback", async () => {
    const started = await post("/v2/classification/async", {
      classes: [{ label: "Invoice", description: "A bill for goods or services" }, { label: "Contract" }],
      callback: receiver.url("/classified"),
    });
    const { classification_id } = started.body;
    assert.deepEqual(started.body, { status: "started", classification_id });
    const outcome = await ended(`/v2/classification/async/${classification_id}`);
    const { source_name, mode, segments, pages_count } = outcome.data;
    assert.deepEqual([source_name, mode, pages_count], ["invoice.pdf", "auto", 1]);
    assert.deepEqual([segments.length, segments[0].start, segments[0].end, segments[0].label], [1, 1, 1, "Invoice"]);
    assert.deepEqual(await told("/classified", classification_id), outcome);
    const event = await told("/events/classification.completed", classification_id);
    assert.deepEqual([event.event, event.data], ["classification.completed", outcome]);
    for (const mode of ["page", "document"]) {
      const id = (await post("/v2/classification/async", { mode })).body.classification_id;
      assert.equal((await ended(`/v2/classification/async/${id}`)).data.mode, mode);
    }
  });

  test("an invalid request is refused at once and leaves nothing behind", async () => {
    await idle();
    const count = async () => (await service.db.selectFrom("operations").select("id").execute()).length;
    const earlier = await count();
    const callback = receiver.url("/never");
    const cases: [string, object, string][] = [
      ["/v2/extractor/async", { params, callback: "" }, "invalid_request"],
      ["/v2/extractor/async", { params, callback: "https://127.0.0.1/" }, "invalid_request"],
      ["/v2/extractor/async", { params, callback: "https://localhost/" }, "invalid_request"],
      ["/v2/extractor/async", { callback }, "invalid_request"],
      ["/v2/extractor/async", { params: [], callback }, "invalid_request"],
      ["/v2/extractor/async", { params, callback, filename: "a.heic" }, "unsupported_file_type"],
      ["/v2/extractor/async", { params, callback, file: "" }, "invalid_request"],
      ["/v2/classification/async", { callback: "http://[::1]/" }, "invalid_request"],
      ["/v2/classification/async", { classes: [{}] }, "invalid_request"],
      ["/v2/classification/async", { classes: Array(201).fill({ label: "a" }) }, "invalid_request"],
      ["/v2/classification/async", { mode: "all" }, "invalid_request"],
      ["/v2/classification/async", { filename: "a.txt" }, "unsupported_file_type"],
    ];
    for (const [path, body, code] of cases) {
      const answer = await post(path, body);
      assert.deepEqual([answer.status, answer.body.code], [422, code], `${path} ${JSON.stringify(body).slice(0, 100)}`);
    }
    assert.equal(await count(), earlier);
    assert.deepEqual(await readdir(join(service.config.filesDir, "operations")).catch(() => []), []);
  });

  test("an operation of another organization or another kind, an unknown id and an expired one get 404", async () => {
    const { extract_id } = (await post("/v2/extractor/async", { callback: receiver.url("/callback"), params })).body;
    const path = `/v2/extractor/async/${extract_id}`;
    await ended(path);
    const other = await service.organization("Other");
    const answers = [
      await other.administrator.send("GET", path),
      await send("GET", `/v2/classification/async/${extract_id}`),
      await send("GET", "/v2/extractor/async/nothing"),
    ];
    for (const { status, body } of answers) assert.deepEqual([status, body.code], [404, "not_found"]);
  });

  test("if the queue is full, an operation is refused before its file is sent", async () => {
    await using small = await openTestService(dialect, { ...outbound, SHEAF_ASYNC_QUEUE: "1" });
    const { administrator } = await small.organization("Full");
    await small.db
      .insertInto("operations")
      .values({
        id: "01a1fce6-9af6-74fc-bd5a-46a7a1cac67e",
        organization_id: (await small.db.selectFrom("members").selectAll().execute()).find(
          ({ id }) => id === administrator.memberId,
        )?.organization_id as string,
        kind: "extraction",
        channel: "api",
        request: "{}",
        status: "started",
        created_at: new Date().toISOString(),
      })
      .execute();
    const answer = await administrator.send("POST", "/v2/classification/async", { filename: "a.pdf", file });
    assert.deepEqual([answer.status, answer.body.code], [503, "agent_unavailable"]);
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
  });

  test("the doctor reports a missing file and one that is no longer needed", async () => {
    await idle();
    const parts = await corpusOf(service, organization).parts();
    assert.deepEqual((await checkCorpus(parts, { running: true })).problems, []);
    await parts.files.put("operations/stray", join(import.meta.dirname, "operations.test.ts"));
    const { problems } = await checkCorpus(parts, { running: false });
    assert.deepEqual(problems, ["The file of operation stray is still stored but no longer needed."]);
    await parts.files.remove("operations/stray");
  });
});
