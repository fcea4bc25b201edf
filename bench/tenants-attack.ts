/**
 * Runs the attacker of `tenants.ts` in a separate process. The attacker is one organization. It
 * does, all at the same time, everything that once made the service unusable for others. The parent
 * process sends `{ target }` once the service is running. The attacker's language model, whose
 * response never ends, runs from the start.
 */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./service-target.ts";

/** Number of silent connections: more than the service accepts from one address. */
const silentConnections = 5_000;
const slowExtractions = 130;
const freezingQuestions = 8;
const endlessAnswers = 8;
/**
 * Pause after a refusal, in milliseconds. Without it, the measurement would depend on how fast the
 * attacker can send requests.
 */
const pauseMs = 200;

const statuses: Record<string, number> = {};
const params = [{ name: "total", format: "number", description: "Total amount" }];

/** Streams text that never ends, as fast as it is read. */
async function openEndlessModel(): Promise<string> {
  const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "and so on ".repeat(800) } }] })}\n\n`;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", write);
    write();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function send({ url, token }: Target, kind: string, method: string, path: string, body: unknown) {
  const headers = { "x-api-key": token, "content-type": "application/json" };
  try {
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    const json = await response.json();
    statuses[`${kind} ${response.status}`] = (statuses[`${kind} ${response.status}`] ?? 0) + 1;
    if (response.status >= 400) await sleep(pauseMs);
    return json;
  } catch {
    statuses[`${kind} broken`] = (statuses[`${kind} broken`] ?? 0) + 1;
    await sleep(pauseMs);
    return {};
  }
}

async function makeAgent(target: Target, configuration: object): Promise<string> {
  const agent = { name: "Attacker", type: "DOCUMENTALIST", configuration };
  const made = (await send(target, "agent", "POST", "/v2/agents", agent)) as { data: { reference: string } };
  return made.data.reference;
}

/** Opens connections that never send anything and are never closed. */
async function holdSilently({ url }: Target): Promise<void> {
  let held = 0;
  for (;;) {
    for (let opened = 0; held < silentConnections && opened < 20; opened++) {
      held++;
      const options = { port: Number(new URL(url).port), host: "127.0.0.1", localAddress: "127.0.0.2" };
      const socket = connect({ ...options, allowHalfOpen: true });
      socket.on("error", () => {}).on("close", () => held--);
    }
    await sleep(20);
  }
}

async function attack(target: Target): Promise<void> {
  const file = (await readFile(join(import.meta.dirname, "../server/test/fixtures/poor-receipt.jpg"))).toString(
    "base64",
  );
  const frozen = await makeAgent(target, {});
  const endless = await makeAgent(target, { engine: "model" });
  const freeze = { query: "9".repeat(8_000), instructions: ["中".repeat(4_000)] };
  const many = (count: number, work: () => Promise<unknown>) => {
    for (let started = 0; started < count; started++)
      void (async () => {
        for (;;) await work();
      })();
  };
  many(freezingQuestions, () => send(target, "freezing", "POST", `/v2/knowledge/${frozen}`, freeze));
  many(slowExtractions, () => send(target, "slow", "POST", "/v2/extractor", { filename: "a.jpg", file, params }));
  many(endlessAnswers, () => send(target, "endless", "POST", `/v2/knowledge/${endless}`, { query: "What is it?" }));
  void holdSilently(target);
}

process.on("disconnect", () => process.exit());
process.on("message", (message: { target?: Target; report?: true }) => {
  if (message.target) void attack(message.target);
  if (message.report) process.send?.({ statuses });
});
process.send?.({ model: await openEndlessModel() });
