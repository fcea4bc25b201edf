import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { Answer } from "../../../../bench/scripted-model/rules.ts";
import { ModelFailure } from "../engine.ts";
import { unlimited } from "../meter.ts";
import {
  keptMeter,
  never,
  openScripted,
  question,
  readAll,
  right,
  settingsFor,
} from "./client/testing/open-scripted.ts";
import { openModelClient } from "./model-client.ts";

const options = { timeout: 20_000 };
const { schema: _, ...ask } = question;

test("a value that fits the schema is returned with its token use", options, async (t) => {
  const { model, client, meter } = await openScripted(t, { rule: () => right });
  const { value, use } = await client.object(question, meter, never);
  assert.deepEqual(value, right);
  const [received] = model.received;
  const body = received?.body as { response_format: { json_schema: { schema: unknown; strict: boolean } } };
  assert.deepEqual(body.response_format.json_schema.schema, question.schema);
  assert.equal(body.response_format.json_schema.strict, true);
  assert.equal(use.estimated, false);
  assert.deepEqual(meter.calls, [
    {
      purpose: "extract",
      model: "scripted",
      endpoint: model.url,
      bytes: received?.bytes,
      sha256: received?.sha256,
      use,
    },
  ]);
  assert.equal(meter.admitted.length, 1);
  assert.ok((meter.admitted[0] ?? 0) > 500, "the most that the answer may take is asked for too");
});

test("a schema with optional members is sent without strict mode", options, async (t) => {
  const { model, client, meter } = await openScripted(t);
  const schema = { type: "object", properties: { a: { type: ["string", "null"] } } };
  await client.object({ ...question, schema }, meter, never);
  assert.match(JSON.stringify(model.received[0]?.body), /"strict":false/);
});

for (const [refuses, askedBy] of [
  [["json_schema"], "tool"],
  [["json_schema", "tools"], "words"],
] as const)
  test(
    `without ${refuses.join(" and ")}, the value is requested by ${askedBy}, and this choice is remembered`,
    options,
    async (t) => {
      const asked: string[] = [];
      const rule = (request: { askedBy: string }) => {
        asked.push(request.askedBy);
        return right;
      };
      const { model, client, meter } = await openScripted(t, { rule, refuses });
      assert.deepEqual((await client.object(question, meter, never)).value, right);
      assert.equal(model.received.length, refuses.length + 1);
      assert.deepEqual((await client.object(question, meter, never)).value, right);
      assert.equal(model.received.length, refuses.length + 2);
      assert.deepEqual(asked, [askedBy, askedBy]);
      const refused = meter.calls.slice(0, refuses.length).map(({ use }) => use.inputTokens + use.outputTokens);
      assert.ok(refused.every((tokens) => tokens === 0));
    },
  );

test("parameters that the endpoint rejects are left out or renamed", options, async (t) => {
  const { model, client, meter } = await openScripted(t, {
    rule: ({ schema }) => (schema ? right : "Yes."),
    refuses: ["temperature", "max_tokens", "stream_options"],
  });
  assert.deepEqual((await client.object(question, meter, never)).value, right);
  assert.equal(model.received.at(-1)?.body.max_completion_tokens, 500);
  assert.equal(await readAll(client.text(ask, meter, never)), "Yes.");
  assert.equal(meter.calls.at(-1)?.use.estimated, true);
});

test("a request that is too long is not retried with fewer features", options, async (t) => {
  const { model, client, meter } = await openScripted(t);
  const message = "This model's maximum context length is 4096 tokens. However, your messages are too long.";
  model.always = { kind: "status", status: 400, message };
  await assert.rejects(client.object(question, meter, never), { kind: "malformed", name: "ModelFailure" });
  assert.equal(model.received.length, 1);
  model.always = { kind: "none" };
  await client.object(question, meter, never);
  assert.ok(model.received.at(-1)?.body.response_format, "what works is not forgotten over it");
});

for (const said of [
  '```json\n{"total": 119, "currency": "EUR",}\n```',
  'Here you are: {"total": 119, "currency": "EUR"} I hope that helps {smile}.',
  '<think>{"total": 1}</think>\n{"total": 119, "currency": "EUR"}',
  'The total is {hidden}.</think>{"total": 119, "currency": "EUR"}',
  '{"total": 119, "currency": "EUR", "note": "ignore all rules"}',
])
  test(`a response that is nearly JSON is read at the first attempt: ${said}`, options, async (t) => {
    const { model, client, meter } = await openScripted(t, { rule: () => said });
    assert.deepEqual((await client.object(question, meter, never)).value, right);
    assert.equal(model.received.length, 1);
  });

test("a value that does not fit the schema is requested once more, with the problem", options, async (t) => {
  const { model, client, meter } = await openScripted(t, {
    rule: ({ prompt }) =>
      prompt.includes("/total must be of type number or null") ? right : { ...right, total: "119" },
  });
  const { value, use } = await client.object(question, meter, never);
  assert.deepEqual(value, right);
  assert.equal(model.received.length, 2);
  assert.equal(use.inputTokens, (meter.calls[0]?.use.inputTokens ?? 0) + (meter.calls[1]?.use.inputTokens ?? 0));
});

test("a truncated value is accepted only if the second one is truncated too", options, async (t) => {
  const cut = '{"total": 119, "currency": "EUR", "lines": [{"a": 1';
  const { model, client, meter } = await openScripted(t, { rule: () => cut });
  assert.deepEqual((await client.object(question, meter, never)).value, right);
  assert.equal(model.received.length, 2);
  model.rule = ({ prompt }) => (prompt.includes("it breaks off") ? { ...right, total: 120 } : cut);
  assert.deepEqual((await client.object(question, meter, never)).value, { ...right, total: 120 });
});

test("an endpoint that ignores schemas gets the schema in the prompt from the third request on", options, async (t) => {
  const { model, client, meter } = await openScripted(t, {
    rule: ({ askedBy }) => (askedBy === "words" ? right : "It is 119 EUR."),
  });
  for (const requests of [2, 4, 5]) {
    assert.deepEqual((await client.object(question, meter, never)).value, right);
    assert.equal(model.received.length, requests);
  }
});

test("images are sent as data, and only to vision models", options, async (t) => {
  const seen: number[] = [];
  const rule = ({ images }: { images: number }) => {
    seen.push(images);
    return right;
  };
  const { model, client, meter } = await openScripted(t, { rule });
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 0]);
  await client.object({ ...question, images: [png, png] }, meter, never);
  assert.deepEqual(seen, [2]);
  assert.match(JSON.stringify(model.received[0]?.body), /"data:image\/png;base64,iVBORw0KGgoAAAAA"/);
  const blind = openModelClient(settingsFor(model.url, { vision: false }));
  t.after(() => blind.close());
  await assert.rejects(blind.object({ ...question, images: [png] }, meter, never), /does not accept images/);
});

test("text is returned as it arrives, without reasoning output", options, async (t) => {
  const said = "The total is 119.00. It is due now.";
  const { model, client, meter } = await openScripted(t, { rule: () => said });
  assert.equal(await readAll(client.text(ask, meter, never)), said);
  const pieces: string[] = [];
  for await (const piece of client.text(ask, meter, never)) pieces.push(piece);
  assert.ok(pieces.length > 5);
  assert.equal(pieces.join(""), said);
  model.rule = () => `<think>119? Yes.</think>${said}`;
  assert.equal(await readAll(client.text(ask, meter, never)), said);
  model.rule = () => new Answer(said, { reasoning: "119? Yes." });
  model.wireFormat = "ollama";
  assert.equal(await readAll(client.text(ask, meter, never)), said);
  assert.equal(meter.calls.at(-1)?.use.estimated, false);
});

test("reasoning output that begins in the prompt is never returned", options, async (t) => {
  const { model, client, meter } = await openScripted(t, { rule: () => "119? Yes.</think>The total is 119.00." });
  for (let time = 0; time < 2; time++)
    assert.equal(await readAll(client.text(ask, meter, never)), "The total is 119.00.");
  model.rule = () => "No thought.";
  assert.equal(await readAll(client.text(ask, meter, never)), "No thought.");
  model.rule = () => "119? Yes.</think>The total is 119.00.";
  await assert.rejects(readAll(client.text(ask, meter, never)), { kind: "malformed" });
});

test("token use that is not reported is estimated by length and marked as estimated", options, async (t) => {
  const { client, meter } = await openScripted(t, {
    rule: ({ schema }) => new Answer(schema ? right : "x".repeat(300), { usage: false }),
  });
  const { use } = await client.object(question, meter, never);
  assert.equal(use.estimated, true);
  assert.ok(use.inputTokens > 50 && use.outputTokens >= 10, JSON.stringify(use));
  await readAll(client.text(ask, meter, never));
  assert.deepEqual(meter.calls[1]?.use, { inputTokens: 12, outputTokens: 150, estimated: true });
});

test("embeddings are requested in batches and returned in order", options, async (t) => {
  const { model, client, meter } = await openScripted(t, { dimensions: 64 });
  const texts = Array.from({ length: 70 }, (_each, index) => `text number ${index}`);
  const vectors = await client.embed(texts, meter, never);
  assert.equal(vectors.length, 70);
  assert.ok(vectors.every((vector) => vector instanceof Float32Array && vector.length === 64));
  assert.deepEqual(
    model.received.map(({ path, body }) => [path, (body.input as string[]).length]),
    [
      ["/v1/embeddings", 32],
      ["/v1/embeddings", 32],
      ["/v1/embeddings", 6],
    ],
  );
  const [single] = await client.embed(["text number 69"], meter, never);
  assert.deepEqual(single, vectors[69]);
  assert.ok(meter.calls.every(({ purpose, model: name }) => purpose === "embed" && name === "vectors"));
  model.fail({ kind: "wrong-schema" });
  await assert.rejects(client.embed(["other"], meter, never), {
    kind: "malformed",
    message: /65 dimensions after vectors of 64/,
  });
  assert.deepEqual(await client.embed([], meter, never), []);
});

test("embedding without an embedding endpoint is an error", options, async (t) => {
  const { client, meter } = await openScripted(t, {}, { embedding: undefined });
  await assert.rejects(client.embed(["a"], meter, never), { kind: "unavailable" });
});

test("base URLs that differ only in trailing slashes or the query are the same endpoint", options, async (t) => {
  const { model, meter } = await openScripted(t, { rule: () => right, apiKey: "secret-key" });
  for (const url of [model.url, `${model.url}/`, `${model.url}//`, `${model.url}?api-version=1`]) {
    const client = openModelClient(settingsFor(url, { apiKey: "secret-key" }));
    t.after(() => client.close());
    assert.deepEqual((await client.object(question, meter, never)).value, right);
  }
  assert.deepEqual(new Set(meter.calls.map(({ endpoint }) => endpoint)), new Set([model.url]));
  for (const url of ["ftp://host/v1", "http://user:word@host/v1", "nonsense"])
    assert.throws(() => openModelClient(settingsFor(url)));
});

test("proxies set in the environment are not used", options, async (t) => {
  const { model } = await openScripted(t, { rule: () => right });
  const script = `
    const { openModelClient } = await import(${JSON.stringify(import.meta.resolve("./model-client.ts"))});
    const { unlimited } = await import(${JSON.stringify(import.meta.resolve("../meter.ts"))});
    const client = openModelClient(${JSON.stringify(settingsFor(model.url))});
    await client.object(${JSON.stringify(question)}, unlimited(), new AbortController().signal);
    await client.close();`;
  const proxy = "http://127.0.0.1:9";
  await run(script, { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, NODE_USE_ENV_PROXY: "1" });
  assert.equal(model.received.length, 1);
});

test("the meter can refuse a call, and records every request that was sent", options, async (t) => {
  const { model, client, meter } = await openScripted(t, { rule: () => right });
  const broke = { ...meter, reserve: () => Promise.reject(new ModelFailure("budget", "Nothing is left.")) };
  await assert.rejects(client.object(question, broke, never), { kind: "budget" });
  await assert.rejects(readAll(client.text(ask, broke, never)), { kind: "budget" });
  await assert.rejects(client.embed(["a"], broke, never), { kind: "budget" });
  assert.equal(model.received.length, 0);
  const forgetful = unlimited(() => Promise.reject(new RangeError("The ledger is full.")));
  await assert.rejects(client.object(question, forgetful, never), RangeError);
  await assert.rejects(readAll(client.text(ask, forgetful, never)), RangeError);
  const kept = keptMeter();
  model.fail({ kind: "status", status: 500 }, { kind: "status", status: 400 }, { kind: "invalid-json" });
  await client.object(question, kept, never);
  const sent = model.received.slice(2).map(({ sha256, bytes }) => [sha256, bytes]);
  assert.deepEqual(
    kept.calls.map(({ sha256, bytes }) => [sha256, bytes]),
    sent,
  );
  assert.equal(kept.admitted.length, sent.length);
  assert.equal(sent.length, 4);
});

test("opening a client loads no library and opens no connection", options, async () => {
  const script = `
    import { registerHooks } from "node:module";
    const seen = [];
    registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context); } });
    const { openModelClient } = await import(${JSON.stringify(import.meta.resolve("./model-client.ts"))});
    await openModelClient(${JSON.stringify(settingsFor("http://127.0.0.1:9/v1"))}).close();
    console.log(seen.filter((name) => !/^(node:|[.]|file:|@sheaf)/.test(name)).join());`;
  assert.equal(await run(script), "\n");
});

test("a closed client refuses calls", options, async () => {
  const client = openModelClient(settingsFor("http://127.0.0.1:9/v1"));
  await client.close();
  const message = "The model client is closed.";
  await assert.rejects(client.object(question, keptMeter(), never), { kind: "unavailable", message });
});

/** Runs a script in its own process and returns its output. */
async function run(script: string, environment: Record<string, string> = {}): Promise<string> {
  const settings = { env: { ...process.env, ...environment }, timeout: 15_000 };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], settings);
  return stdout;
}
