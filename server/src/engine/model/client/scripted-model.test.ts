import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ScriptedRequest } from "../../../../../bench/scripted-model/request.ts";
import { type Answer, type Invention, inventing, perfect } from "../../../../../bench/scripted-model/rules.ts";
import { startScriptedModel } from "../../../../../bench/scripted-model/server.ts";
import { openModelClient } from "../model-client.ts";
import { keptMeter, never, question, settingsFor } from "./testing/open-scripted.ts";

const options = { timeout: 20_000 };

async function post(url: string | URL, body: object): Promise<Response> {
  return fetch(url, { method: "POST", body: JSON.stringify(body) });
}

test("the scripted model lists its name and accepts commands over HTTP", options, async (t) => {
  const model = await startScriptedModel();
  t.after(() => model.close());
  const list = (await (await fetch(`${model.url}/models`)).json()) as { data: unknown[] };
  assert.equal(list.data.length, 1);
  const orders = { faults: [{ kind: "status", status: 503 }], wireFormat: "llamacpp" };
  assert.deepEqual(await (await post(new URL("/control", model.url), orders)).json(), { waiting: 1, received: 0 });
  const response = await post(`${model.url}/chat/completions`, {});
  assert.equal(response.status, 503);
  assert.deepEqual(Object.keys(((await response.json()) as { error: object }).error), ["code", "message", "type"]);
  assert.equal((await post(`${model.url}/elsewhere`, {})).status, 404);
});

test("the scripted model runs as a process of its own", options, async (t) => {
  const program = fileURLToPath(import.meta.resolve("../../../../../bench/scripted-model/serve.ts"));
  const child = spawn(process.execPath, [program, "--port", "0", "--wire-format", "vllm"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => void child.kill());
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const client = openModelClient(settingsFor(line.toString().trim()));
  t.after(() => client.close());
  const { value } = await client.object(question, keptMeter(), never);
  assert.deepEqual(value, { total: null, currency: null });
});

const requestOf = (prompt: string) => ({ system: "", prompt }) as ScriptedRequest;
const truth = perfect(({ prompt }) => ({
  total: { value: 119, quote: "Total 119.00", page: 1 },
  absent: { value: null, quote: null, page: null },
  lines: [{ name: { value: `Bolt ${prompt}`, quote: `Bolt ${prompt}`, page: 2 } }],
}));

test("the scripted model invents the configured share of the values, and reports which", async () => {
  const inventions: Invention[] = [];
  const rule = inventing(0.2, truth, (invention) => void inventions.push(invention));
  for (let request = 0; request < 1_000; request++) {
    const before = inventions.length;
    const { content } = (await rule(requestOf(`number ${request}`))) as Answer;
    const right = await truth(requestOf(`number ${request}`));
    assert.equal(JSON.stringify(content) !== JSON.stringify(right), inventions.length > before);
    assert.equal((content as { absent: { value: unknown } }).absent.value, null);
  }
  assert.ok(Math.abs(inventions.length / 2_000 - 0.2) < 0.03, `${inventions.length}`);
  const ways = inventions.map(({ truth, invented }) => {
    const [was, is] = [truth, invented] as { value: unknown; quote: unknown }[];
    return `${was?.value === is?.value} ${was?.quote === is?.quote}`;
  });
  assert.deepEqual([...new Set(ways)].toSorted(), ["false false", "false true", "true false"]);
});

test("the scripted model invents the same values for the same request, and sentences for texts", async () => {
  const told: Invention[] = [];
  const rule = inventing(
    0.5,
    () => "The total is 119.00. It is due on 3 May. The seller is Bolt Ltd.",
    (each) => void told.push(each),
  );
  const [first, second] = [(await rule(requestOf("a"))) as Answer, (await rule(requestOf("a"))) as Answer];
  assert.deepEqual(first, second);
  for (const { invented } of told) assert.ok(String(first.content).includes(String(invented)));
  assert.deepEqual(((await inventing(0, truth)(requestOf("a"))) as Answer).content, await truth(requestOf("a")));
});
