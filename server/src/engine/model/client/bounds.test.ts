/**
 * Tests endpoints that never end a response, report implausible figures, or respond in a format
 * that was not requested.
 */
import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type TestContext, test } from "node:test";
import { type ModelClient, openModelClient } from "../model-client.ts";
import { keptMeter, never, question, readAll, right, settingsFor } from "./testing/open-scripted.ts";

const options = { timeout: 60_000 };

type Body = Record<string, unknown>;

async function openServer(t: TestContext, respond: (body: Body, response: ServerResponse) => void) {
  const received: Body[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    received.push(JSON.parse(text));
    respond(received.at(-1) as Body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const client = openModelClient(settingsFor(url));
  t.after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, received };
}

/** Writes the same piece until the reader disconnects. */
function writeForEver(response: ServerResponse, contentType: string, begin: string, piece: string): void {
  response.writeHead(200, { "content-type": contentType });
  response.write(begin);
  const block = piece.repeat(Math.ceil(65_536 / piece.length));
  const write = (): void => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once("drain", write);
  };
  write();
}

const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};
const completion = (usage: unknown, content = JSON.stringify(right)) => ({
  id: "1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage,
});
const event = (delta: object) => `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta }] })}\n\n`;

const endless = {
  "events with text": ["text/event-stream", "", event({ content: "word " })],
  "empty events": ["text/event-stream", "", "data: {}\n\n"],
  "elements of a list": ["text/event-stream", event({ content: '{"sentences":[' }), event({ content: '{"a":[1]},' })],
  "one element": ["text/event-stream", event({ content: '{"sentences":[{"a":"' }), event({ content: "x" })],
  "white space before a value": ["text/event-stream", "", event({ content: " \n" })],
  "one line": ["text/event-stream", "data: ", "x"],
  comments: ["text/event-stream", "", ": still there\n\n"],
  "a value": ["application/json", '{"choices":[{"message":{"content":"', "x"],
  brackets: ["application/json", "", "["],
} as const;

for (const [name, [contentType, begin, piece]] of Object.entries(endless))
  for (const way of ["text", "value", "object"] as const)
    test(`an endless response (${name}), read as ${way}, fails without blocking the process`, options, async (t) => {
      const { client } = await openServer(t, (_body, response) => writeForEver(response, contentType, begin, piece));
      const meter = keptMeter();
      await openLibrary(client);
      const delays = monitorEventLoopDelay({ resolution: 5 });
      delays.enable();
      const schema = { type: "object", properties: { sentences: { type: "array", items: { type: "object" } } } };
      const request = { purpose: "answer", system: "s", prompt: "p" } as const;
      const asked = {
        text: () => readAll(client.text(request, meter, never)),
        value: () => readAll(client.text({ ...request, schema }, meter, never)),
        object: () => client.object({ ...request, schema }, meter, never),
      }[way]();
      await assert.rejects(asked, { name: "ModelFailure" });
      delays.disable();
      // The limit is generous, because the machine may be busy. A response that is read without
      // bounds would block the process for seconds.
      assert.ok(delays.max / 1e6 < 1_000, `the event loop stood still for ${delays.max / 1e6} ms`);
      assert.equal(meter.calls.length >= 1, true);
    });

/** Loads the AI SDK before the test, so that its loading time is not measured. */
async function openLibrary(client: ModelClient): Promise<void> {
  await client.object(question, keptMeter(), AbortSignal.timeout(1)).catch(() => {});
  await import("@ai-sdk/openai-compatible");
}

test("implausible token counts are ignored, and numeric strings are accepted", options, async (t) => {
  let usage: unknown;
  const { client } = await openServer(t, (_body, response) => json(response, completion(usage)));
  const use = async () => {
    const meter = keptMeter();
    await client.object(question, meter, never);
    return meter.calls[0]?.use;
  };
  const estimate = await use();
  assert.equal(estimate?.estimated, true);
  for (usage of [
    { prompt_tokens: 9e12, completion_tokens: 5 },
    { prompt_tokens: 50, completion_tokens: 2 ** 40 },
    { prompt_tokens: -5, completion_tokens: 5 },
    { prompt_tokens: "9".repeat(40), completion_tokens: 5 },
    { prompt_tokens: Number.NaN, completion_tokens: 5 },
    "many",
    [],
  ])
    assert.deepEqual(await use(), estimate, JSON.stringify(usage));
  usage = { prompt_tokens: "50", completion_tokens: "7" };
  assert.deepEqual(await use(), { inputTokens: 50, outputTokens: 7, estimated: false });
});

test("plain JSON in place of a stream is read, and no stream is requested from then on", options, async (t) => {
  const usage = { prompt_tokens: 50, completion_tokens: 7 };
  const { client, received } = await openServer(t, (_body, response) => json(response, completion(usage, "Yes.")));
  const meter = keptMeter();
  const request = { purpose: "answer", system: "s", prompt: "p" } as const;
  for (const stream of [true, undefined, undefined]) {
    assert.equal(await readAll(client.text(request, meter, never)), "Yes.");
    assert.equal(received.at(-1)?.stream, stream);
  }
  assert.equal(received.length, 3);
  assert.ok(meter.calls.every(({ use }) => use.inputTokens === 50 && !use.estimated));
});

for (const refused of ["stream_options", "stream"])
  test(`after an endpoint refuses ${refused}, later requests for texts and values omit it`, options, async (t) => {
    const { client, received } = await openServer(t, (body, response) => {
      if (body[refused] !== undefined)
        return json(response, { error: { message: `Unrecognized request argument supplied: ${refused}` } }, 400);
      if (!body.stream) return json(response, completion(undefined));
      response.writeHead(200, { "content-type": "text/event-stream" });
      const end = { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      response.end(`${event({ content: JSON.stringify(right) })}data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
    });
    for (const request of [{ ...question }, { purpose: "answer", system: "s", prompt: "p" } as const])
      assert.deepEqual(JSON.parse(await readAll(client.text(request, keptMeter(), never))), right);
    const named = received.filter((body) => body[refused] !== undefined);
    assert.ok(named.length <= 2 && received.length <= named.length + 2, `${named.length} of ${received.length}`);
    assert.equal(received.at(-1)?.[refused], undefined);
    const before = received.length;
    await readAll(client.text(question, keptMeter(), never));
    assert.equal(received.length, before + 1);
  });

test("vectors are sorted by their index, and implausible vectors are rejected", options, async (t) => {
  let data: unknown;
  const { client } = await openServer(t, (_body, response) => json(response, { data, model: "m" }));
  const embed = () => client.embed(["a", "b"], keptMeter(), never);
  data = [
    { index: 1, embedding: [0, 1] },
    { index: 0, embedding: [1, 0] },
  ];
  assert.deepEqual(
    (await embed()).map((vector) => [...vector]),
    [
      [1, 0],
      [0, 1],
    ],
  );
  data = [{ embedding: [1, 0] }, { embedding: [0, 1] }];
  assert.deepEqual([...((await embed())[0] ?? [])], [1, 0]);
  const good = { index: 0, embedding: [1, 0] };
  for (data of [
    [good, { index: 0, embedding: [1, 0] }],
    [good, { index: 2, embedding: [1, 0] }],
    [good, { index: -1, embedding: [1, 0] }],
    [good, { index: "1", embedding: [1, 0] }],
    [good, { index: 1, embedding: [1e30, 0] }],
    [good, { index: 1, embedding: [null, 0] }],
    [good, { index: 1, embedding: ["1", 0] }],
    [good, { index: 1, embedding: [] }],
    [good, { index: 1 }],
    [good, null],
    [good],
    "none",
  ])
    await assert.rejects(embed(), { name: "ModelFailure", kind: "malformed" }, JSON.stringify(data));
});
