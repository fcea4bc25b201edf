/**
 * The running service under twice what it can do: how much of it is still done in time, how the rest is refused, and how soon all is normal
 * again. Runs alone too: `node bench/overload.ts [SECONDS]`.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type BenchRow, quantile, table } from "./rows.ts";
import { type StartedService, type Target, targetOf } from "./service-target.ts";
import { MeasuredProcess } from "./upload-process.ts";

/** A client that waits longer has gone. */
const patienceMs = 10_000;
const examples = join(import.meta.dirname, "../examples");

interface Call {
  method: string;
  path: string;
  body?: string;
}

type Outcome = "good" | "refused" | "late" | "wrong";
interface Sent {
  outcome: Outcome;
  ms: number;
}

/** Takes about five minutes. */
export async function benchOverload(seconds = 60): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
  try {
    const { PATH, DATABASE_URL } = process.env;
    const environment = { PATH, DATABASE_URL, SHEAF_DATA_DIR: folder, SHEAF_PORT: "0", SHEAF_RATE_LIMIT: "0" };
    await using started = new MeasuredProcess(new URL("./service-server.ts", import.meta.url), [], environment);
    const target = await targetOf(await started.message<StartedService>("service"));
    const { light, heavy } = await callsOf(target);
    return [
      ...(await underOverload("light requests", target, light, seconds)),
      ...(await underOverload(
        "9 light requests to 1 extraction",
        target,
        [...light, ...light, ...light, heavy],
        seconds,
      )),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function callsOf(target: Target): Promise<{ light: Call[]; heavy: Call }> {
  const agent = { method: "POST", path: "/v2/agents", body: JSON.stringify({ name: "Corpus", type: "DOCUMENTALIST" }) };
  const { data } = JSON.parse((await send(target, new Agent(), agent)).body) as { data: { reference: string } };
  const light = ["/v2/agents", `/v2/agents/${data.reference}/documents`, "/v2/organization/usage"];
  const params = JSON.parse(await readFile(join(examples, "params.json"), "utf8"));
  const file = (await readFile(join(examples, "invoice.pdf"))).toString("base64");
  const body = JSON.stringify({ filename: "invoice.pdf", params, file });
  return {
    light: light.map((path) => ({ method: "GET", path })),
    heavy: { method: "POST", path: "/v2/extractor", body },
  };
}

async function underOverload(name: string, target: Target, calls: Call[], seconds: number): Promise<BenchRow[]> {
  await peak(target, calls, 3);
  const before = await alone(target);
  const most = await peak(target, calls, Math.max(5, seconds / 4));
  await sleep(1_000);
  const probe = watch(target);
  const sent = await openLoop(target, calls, 2 * most, seconds);
  const health = await probe();
  await sleep(5_000);
  const after = await alone(target);
  const share = (outcome: Outcome) => sent.filter((each) => each.outcome === outcome).length / sent.length;
  const goodput = (share("good") * sent.length) / seconds;
  const good = sent.filter(({ outcome }) => outcome === "good").map(({ ms }) => ms);
  return [
    { name: `${name}: most that is done`, value: most, unit: "/s", against: "" },
    {
      name: `${name}: offered ${(sent.length / seconds).toFixed(0)} /s, done`,
      value: goodput,
      unit: "/s",
      against: `peak ${most.toFixed(0)}`,
      ratio: goodput / most,
    },
    { name: `${name}: done, 99 % within`, value: quantile(good, 0.99), unit: "ms", against: "" },
    { name: `${name}: refused with 503 and Retry-After`, value: share("refused") * 100, unit: "%", against: "" },
    { name: `${name}: not answered within ${patienceMs / 1000} s`, value: share("late") * 100, unit: "%", against: "" },
    { name: `${name}: answered in any other way`, value: share("wrong") * 100, unit: "%", against: "limit 0" },
    { name: `${name}: health meanwhile, 99 % within`, value: quantile(health, 0.99), unit: "ms", against: "" },
    {
      name: `${name}: a request 5 s after that, 95 % within`,
      value: after,
      unit: "ms",
      against: `before: ${before.toFixed(1)}`,
      ratio: after / before,
    },
  ];
}

/** What is done in a second when 32 clients send one request after the other. */
async function peak(target: Target, calls: Call[], seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1000;
  let good = 0;
  const client = async (first: number) => {
    for (let i = first; performance.now() < end; i++) {
      const { outcome } = outcomeOf(await send(target, agent, calls[i % calls.length] as Call));
      if (outcome === "good") good++;
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, i) => client(i)));
  agent.destroy();
  return good / seconds;
}

/** Sends so many in a second, whatever has become of those before. */
async function openLoop(target: Target, calls: Call[], rate: number, seconds: number): Promise<Sent[]> {
  const agent = new Agent({ keepAlive: true, scheduling: "fifo" });
  const sent: Promise<Sent>[] = [];
  const startedAt = performance.now();
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - startedAt) {
    while (sent.length < (elapsed / 1000) * rate)
      sent.push(send(target, agent, calls[sent.length % calls.length] as Call).then(outcomeOf));
    await sleep(5);
  }
  const all = await Promise.all(sent);
  agent.destroy();
  return all;
}

/** One request after the other for three seconds; 95 % are answered within so many ms. */
async function alone(target: Target): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (const end = performance.now() + 3_000; performance.now() < end; await sleep(5)) {
    const { outcome, ms } = outcomeOf(await send(target, agent, { method: "GET", path: "/v2/agents" }));
    times.push(outcome === "good" ? ms : Number.POSITIVE_INFINITY);
  }
  agent.destroy();
  return quantile(times, 0.95);
}

/** Asks for the health ten times a second until it is told to stop. */
function watch(target: Target): () => Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const { status, ms } = await send(target, agent, { method: "GET", path: "/healthz" });
      times.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
      await sleep(100);
    }
    agent.destroy();
    return times;
  })();
  return () => {
    stopped = true;
    return watching;
  };
}

interface Reply {
  /** 0 where there is no answer in time. */
  status: number;
  retryAfter: string | undefined;
  body: string;
  ms: number;
}

function send({ url, token }: Target, agent: Agent, { method, path, body }: Call): Promise<Reply> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (response?: IncomingMessage, received = "") =>
      resolve({
        status: response?.statusCode ?? 0,
        retryAfter: response?.headers["retry-after"],
        body: received,
        ms: performance.now() - startedAt,
      });
    const headers = {
      "x-api-key": token,
      ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const outgoing = request(url + path, { method, agent, headers, signal: AbortSignal.timeout(patienceMs) });
    outgoing.on("response", (response) =>
      text(response).then(
        (received) => end(response, received),
        () => end(),
      ),
    );
    outgoing.on("error", () => end()).end(body);
  });
}

function outcomeOf({ status, retryAfter, body, ms }: Reply): Sent {
  if (status === 0) return { outcome: "late", ms };
  if (status >= 200 && status < 300) return { outcome: "good", ms };
  const isRefusal = status === 503 && Number(retryAfter) > 0 && body.includes('"code":"agent_unavailable"');
  return { outcome: isRefusal ? "refused" : "wrong", ms };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

if (import.meta.main) console.log(table(await benchOverload(Number(process.argv[2] ?? 60))));
