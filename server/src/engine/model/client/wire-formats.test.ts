import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { WireFormatName } from "../../../../../bench/scripted-model/wire-formats.ts";
import { type ModelClient, openModelClient } from "../model-client.ts";
import { keptMeter, never, openScripted, readAll, settingsFor } from "./testing/open-scripted.ts";

const options = { timeout: 20_000 };
const fixtures = new URL("../../../../../bench/scripted-model/fixtures/", import.meta.url);
const wireFormats: WireFormatName[] = ["openai", "vllm", "ollama", "llamacpp"];
const total = { value: 119, quote: "Total 119.00" };
const leaf = {
  type: "object",
  properties: { value: { type: "number" }, quote: { type: "string" } },
  required: ["value", "quote"],
  additionalProperties: false,
};
const schema = { type: "object", properties: { total: leaf }, required: ["total"], additionalProperties: false };
const ask = { purpose: "extract", system: "You read invoices.", prompt: "Total 119.00" } as const;

/** Starts a server that replies with the fixtures of a wire format, and opens a client for it. */
async function openFixtures(t: TestContext, wireFormat: WireFormatName, refusesSchema = false): Promise<ModelClient> {
  const send = async (response: ServerResponse, name: string, status = 200) => {
    const type = name.endsWith(".txt") ? "text/event-stream; charset=utf-8" : "application/json; charset=utf-8";
    response.writeHead(status, { "content-type": type });
    response.end(await readFile(new URL(`${wireFormat}/${name}`, fixtures)));
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text) as { stream?: boolean; tools?: unknown; response_format?: unknown };
    if (request.url?.endsWith("/embeddings")) return send(response, "embeddings.json");
    if (body.stream) return send(response, "stream.txt");
    if (body.tools) return send(response, "tool.json");
    return refusesSchema && body.response_format
      ? send(response, "refusal.json", 400)
      : send(response, "completion.json");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = openModelClient(settingsFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`));
  t.after(async () => {
    await client.close();
    server.close();
  });
  return client;
}

for (const wireFormat of wireFormats) {
  test(`${wireFormat}: values, texts and vectors are read with their token use`, options, async (t) => {
    const client = await openFixtures(t, wireFormat);
    const meter = keptMeter();
    assert.deepEqual((await client.object({ ...ask, schema }, meter, never)).value, { total });
    assert.equal(await readAll(client.text(ask, meter, never)), "The total is 119.00.");
    assert.equal(await readAll(client.text(ask, meter, never)), "The total is 119.00.");
    assert.deepEqual(
      (await client.embed(["a", "b"], meter, never)).map(({ length }) => length),
      [3, 3],
    );
    assert.equal(meter.calls.length, 4);
    assert.ok(meter.calls.every(({ use }) => !use.estimated && use.inputTokens > 0));
    assert.ok(meter.calls.slice(0, 3).every(({ use }) => use.outputTokens > 0));
  });

  test(`${wireFormat}: a rejected response schema is replaced by a tool`, options, async (t) => {
    const client = await openFixtures(t, wireFormat, true);
    const meter = keptMeter();
    assert.deepEqual((await client.object({ ...ask, schema }, meter, never)).value, { total });
    assert.equal(meter.calls.length, 2);
  });

  test(`${wireFormat}: the scripted model sends no response member that the fixtures lack`, options, async (t) => {
    const { model, client, meter } = await openScripted(t, {
      wireFormat,
      rule: (request) => (request.schema ? { total } : "The total is 119.00."),
    });
    for (const refuses of [[], ["json_schema"]] as const) {
      model.refuses = refuses;
      assert.deepEqual((await client.object({ ...ask, schema }, meter, never)).value, { total });
    }
    assert.equal(await readAll(client.text(ask, meter, never)), "The total is 119.00.");
    const scripted = await post(model.url, { messages: [], model: "m" });
    const fixture = JSON.parse(await readFile(new URL(`${wireFormat}/completion.json`, fixtures), "utf8"));
    for (const part of [
      (answer: Answer) => answer,
      (answer: Answer) => answer.choices[0]?.message,
      (answer: Answer) => answer.usage,
    ]) {
      const known = Object.keys(part(fixture) ?? {});
      assert.deepEqual(
        Object.keys(part(scripted) ?? {}).filter((key) => !known.includes(key)),
        [],
      );
    }
  });
}

interface Answer {
  choices: { message: object }[];
  usage: object;
}

async function post(url: string, body: object): Promise<Answer> {
  const response = await fetch(`${url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as Answer;
}
