/**
 * Answers as server-sent events over real HTTP, on both databases, with the built-in engine and
 * with a scripted language model.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SheafClient, SheafError } from "@sheaf/client";
import { idempotencyKey } from "@sheaf/contract/idempotency.ts";
import { type ScriptedModel, startScriptedModel } from "../../bench/scripted-model/server.ts";
import { newId } from "../src/lib/ids.ts";
import { makePdf } from "../src/reading/testing/make-pdf.ts";
import { corpusOf } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { allEventsOf, dataOf, eventsOf, textOf } from "./helpers/events.ts";
import { answering } from "./helpers/scripted-model.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const lines = [
  "The notice period of this agreement is three months to the end of a quarter.",
  "In 2018 the harbour of Velden handled 412,000 containers.",
  "In 2019 the harbour of Velden handled 455,300 containers.",
];
const file = Buffer.from(makePdf({ pages: lines.map((text) => ({ marks: [{ text, x: 72, y: 700 }] })) })).toString(
  "base64",
);
const query = "What is the notice period?";

const streamer =
  (service: TestService, agent: string, { administrator }: TestOrganization) =>
  (body: object, options: { to?: string; headers?: Record<string, string>; signal?: AbortSignal } = {}) =>
    fetch(`${service.url}/v2/knowledge/${options.to ?? agent}/stream`, {
      method: "POST",
      headers: { "x-api-key": administrator.token, "content-type": "application/json", ...options.headers },
      body: JSON.stringify({ include: ["citations"], ...body }),
      ...(options.signal && { signal: options.signal }),
    });

async function withCorpus(service: TestService, name: string) {
  const organization = await service.organization(name);
  const corpus = corpusOf(service, organization);
  const agent = await corpus.makeAgent();
  const document = await corpus.accepted(agent, { filename: "agreement.pdf", path: "legal", file });
  await corpus.settled(agent);
  return { organization, agent, document, stream: streamer(service, agent, organization) };
}

const messagesOf = async ({ db }: TestService, thread: string) =>
  (
    await db
      .selectFrom("messages")
      .selectAll()
      .where("thread_id", "=", thread)
      .orderBy("created_at")
      .orderBy("id")
      .execute()
  ).map(({ role, content }) => ({ role, content: JSON.parse(content) }));

describeOverDatabases("streamed answers", (dialect) => {
  let service: TestService;
  let parts: Awaited<ReturnType<typeof withCorpus>>;
  before(async () => {
    service = await openTestService(dialect);
    parts = await withCorpus(service, "Streams");
  });
  after(() => service[Symbol.asyncDispose]());
  const ask = (body: object) =>
    parts.organization.administrator.send("POST", `/v2/knowledge/${parts.agent}`, { include: ["citations"], ...body });

  test("the events contain the answer of the JSON endpoint in parts, and the answer is recorded in the same way", async () => {
    const response = await parts.stream({ query });
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("x-accel-buffering"), "no");
    const events = await allEventsOf(response);
    const names = events.map(({ event }) => event);
    assert.deepEqual([names[0], ...names.slice(-2)], ["thread", "citations", "done"]);
    assert.ok(names.slice(1, -2).length > 0 && names.slice(1, -2).every((name) => name === "text"));

    const { thread_id } = dataOf(events, "thread");
    const { answer, metadata } = dataOf(events, "done");
    const { citations } = dataOf(events, "citations");
    assert.deepEqual(metadata, { thread_id });
    assert.equal(textOf(events), answer);
    const asked = await ask({ query });
    assert.deepEqual({ answer, citations }, asked.body.data);
    assert.deepEqual(await messagesOf(service, thread_id), await messagesOf(service, asked.body.metadata.thread_id));
  });

  test("the quote of each citation is found verbatim on its page, and its ranges lie within the answer", async () => {
    const events = await allEventsOf(await parts.stream({ query }));
    const { citations } = dataOf(events, "citations");
    const { answer } = dataOf(events, "done");
    assert.ok(citations.length > 0);
    for (const { document_reference, name, path, page, quote, ranges = [] } of citations) {
      assert.deepEqual([document_reference, name, path], [parts.document, "agreement.pdf", "legal"]);
      assert.ok(lines[page - 1]?.includes(quote), quote);
      assert.ok(ranges.length > 0);
      for (const { start, end } of ranges) assert.equal(answer.slice(start, end), quote);
    }
  });

  test("citations are sent only on request, and not for an agent that hides its sources", async () => {
    const plain = await allEventsOf(await parts.stream({ query, include: undefined }));
    assert.deepEqual([...new Set(plain.map(({ event }) => event))], ["thread", "text", "done"]);
    const path = `/v2/agents/${parts.agent}`;
    const show = (sourceVisibility: boolean) =>
      parts.organization.administrator.send("PATCH", path, { configuration: { sourceVisibility } });
    await show(false);
    const hidden = await allEventsOf(await parts.stream({ query }));
    await show(true);
    assert.deepEqual([...new Set(hidden.map(({ event }) => event))], ["thread", "text", "done"]);
    assert.match(dataOf(hidden, "done").answer, /three months/);
  });

  test("a thread begun by a stream can be continued with or without streaming", async () => {
    const first = await allEventsOf(
      await parts.stream({ query: "How many containers did the harbour of Velden handle in 2018?" }),
    );
    const { thread_id } = dataOf(first, "thread");
    const second = await allEventsOf(await parts.stream({ query: "And in 2019?", thread_id }));
    assert.equal(dataOf(second, "thread").thread_id, thread_id);
    assert.match(dataOf(second, "done").answer, /455,300/);
    assert.match((await ask({ query: "And in 2018?", thread_id })).body.data.answer, /412,000/);
    assert.equal((await messagesOf(service, thread_id)).length, 6);
  });

  test("errors before the first event are envelopes", async () => {
    const other = await withCorpus(service, `Others ${dialect}`);
    const { thread_id } = (await ask({ query })).body.metadata;
    const cases: [number, string, Promise<Response>][] = [
      [404, "agent_not_found", parts.stream({ query }, { to: "nothing" })],
      [404, "agent_not_found", parts.stream({ query }, { to: other.agent })],
      [404, "thread_not_found", parts.stream({ query, thread_id: newId() })],
      [404, "thread_not_found", other.stream({ query, thread_id })],
      [422, "invalid_request", parts.stream({ query: "" })],
      [422, "invalid_request", parts.stream({ query, thread_id, historic: [] })],
      [401, "unauthorized", parts.stream({ query }, { headers: { "x-api-key": "wrong" } })],
    ];
    for (const [status, code, answer] of cases) {
      const response = await answer;
      assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
      const body = (await response.json()) as { status: string; code: string };
      assert.deepEqual([response.status, body.status, body.code], [status, "error", code]);
    }
  });

  test("a repeated request with an idempotency key gets the same answer, which is recorded once", async () => {
    const headers = { "idempotency-key": newId() };
    const first = await allEventsOf(await parts.stream({ query }, { headers }));
    const again = await parts.stream({ query }, { headers });
    assert.equal(again.headers.get(idempotencyKey.replayedHeader), "true");
    const second = await allEventsOf(again);
    assert.equal(textOf(second), textOf(first));
    for (const name of ["thread", "citations", "done"] as const)
      assert.deepEqual(dataOf(second, name), dataOf(first, name));
    assert.equal((await messagesOf(service, dataOf(first, "thread").thread_id)).length, 2);
  });

  test("the client yields typed events, and throws the error of an envelope", async () => {
    const { clientId, clientSecret } = parts.organization.administrator;
    const client = new SheafClient({ baseUrl: service.url, clientId, clientSecret });
    let text = "";
    let pages: number[] = [];
    let last: string | undefined;
    for await (const { event, data } of await client.askStream(parts.agent, { query, include: ["citations"] })) {
      if (event === "text") text += data.text;
      if (event === "citations") pages = data.citations.map(({ page }) => page);
      if (event === "done") assert.equal(data.answer, text);
      last = event;
    }
    assert.deepEqual([last, pages], ["done", [1]]);
    assert.match(text, /three months/);
    await assert.rejects(client.askStream(newId(), { query }), { code: "agent_not_found", status: 404 });
  });
});

describeOverDatabases("streamed answers of a language model", (dialect) => {
  const said = (...sentences: [text: string, quote: string][]) => ({
    sentences: sentences.map(([text, quote]) => ({ text, quotes: [{ passage: 1, quote }] })),
  });
  const [notice = ""] = lines;
  const rule = () => said([notice, notice], [notice, notice]);
  let model: ScriptedModel;
  let service: TestService;
  let parts: Awaited<ReturnType<typeof withCorpus>>;
  before(async () => {
    model = await startScriptedModel({ rule, eventMs: 8 });
    const settings = { ENGINE: "model", MODEL_URL: model.url, MODEL_NAME: "scripted", MODEL_TIMEOUT_SECONDS: "4" };
    service = await openTestService(dialect, settings);
    parts = await withCorpus(service, "Modern streams");
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await model.close();
  });
  const clientOf = () => {
    const { clientId, clientSecret } = parts.organization.administrator;
    return new SheafClient({ baseUrl: service.url, clientId, clientSecret });
  };
  const threads = async () => (await service.db.selectFrom("threads").select("id").execute()).length;

  test("a sentence arrives while the model still generates the next one", async () => {
    const arrived: [event: string, at: number][] = [];
    const events = [];
    for await (const event of eventsOf(await parts.stream({ query }))) {
      arrived.push([event.event, performance.now()]);
      events.push(event);
    }
    const at = (name: string) => arrived.find(([event]) => event === name)?.[1] ?? Number.NaN;
    assert.ok(at("done") - at("text") > 100, `text ${at("text")}, done ${at("done")}`);
    assert.ok(arrived.filter(([event]) => event === "text").length >= 2);
    const { answer } = dataOf(events, "done");
    assert.equal(textOf(events), answer);
    const { citations } = dataOf(events, "citations");
    // Both sentences quote the same words, so there is one citation with two ranges.
    assert.deepEqual(
      citations.map(({ quote, ranges = [] }) => [quote, ranges.map(({ start, end }) => answer.slice(start, end))]),
      [[notice.slice(0, -1), [notice, notice]]],
    );
    const { thread_id } = dataOf(events, "thread");
    const [, { content } = { content: {} }] = await messagesOf(service, thread_id);
    assert.deepEqual([content.answer, content.citations], [answer, citations]);
  });

  test("if the response of the model breaks off, the stream ends with an error, and nothing is recorded", async () => {
    const before = await threads();
    model.fail({ kind: "stall-within" });
    const events = await allEventsOf(await parts.stream({ query }));
    const { code, error } = dataOf(events, "error");
    assert.deepEqual([events.at(0)?.event, events.at(-1)?.event], ["thread", "error"]);
    assert.ok(["extraction_failed", "agent_timeout", "agent_unavailable"].includes(code), code);
    assert.ok(error.length > 0);
    const { thread_id } = dataOf(events, "thread");
    assert.equal(await threads(), before);
    const next = await parts.stream({ query, thread_id });
    assert.deepEqual([next.status, ((await next.json()) as { code: string }).code], [404, "thread_not_found"]);
    // The TypeScript client throws the error of the `error` event.
    model.fail({ kind: "stall-within" });
    const stream = await clientOf().askStream(parts.agent, { query });
    await assert.rejects(
      async () => {
        for await (const { event } of stream) assert.notEqual(event, "done");
      },
      (thrown) => thrown instanceof SheafError && thrown.code === code && thrown.requestId !== undefined,
    );
  });

  test("after a client disconnects, the work ends within a second, and nothing is recorded", async () => {
    const before = await threads();
    for (const leave of ["before the text", "within the text", "by the client"] as const)
      await answering(model, leave === "before the text" ? () => new Promise(() => {}) : rule, async () => {
        const received = model.received.length;
        const leaving = new AbortController();
        if (leave === "by the client") {
          for await (const { event } of await clientOf().askStream(parts.agent, { query })) if (event === "text") break;
        } else {
          const response = await parts.stream({ query }, { signal: leaving.signal });
          await assert.rejects(async () => {
            for await (const { event } of eventsOf(response))
              if (leave === "before the text" ? model.received.length > received : event === "text") leaving.abort();
              else if (leave === "before the text") setTimeout(() => leaving.abort(), 100);
          });
        }
        const left = performance.now();
        while (model.received.at(-1)?.abandonedAt === undefined && performance.now() < left + 2_000) await sleep(5);
        assert.ok((model.received.at(-1)?.abandonedAt ?? Number.POSITIVE_INFINITY) - left < 1_000, leave);
      });
    await sleep(50);
    assert.equal(await threads(), before);
  });
});

test("streams beyond the concurrency limit are refused with an envelope, and a finished stream frees its slot", async () => {
  await using service = await openTestService("sqlite", { SHEAF_QUESTION_QUEUE: "1" });
  const { stream } = await withCorpus(service, "Crowd");
  const all = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const response = await stream({ query });
      if (response.status !== 200) {
        assert.ok(response.headers.get("retry-after"));
        return ((await response.json()) as { code: string }).code;
      }
      return (await allEventsOf(response)).at(-1)?.event;
    }),
  );
  assert.deepEqual([...new Set(all)].sort(), ["agent_unavailable", "done"]);
  assert.equal((await allEventsOf(await stream({ query }))).at(-1)?.event, "done");
});
