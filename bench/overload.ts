/**
 * Sends the running service twice as many requests as it can serve. Measures how many are still
 * served in time, how the others are refused, and how soon response times return to normal. Can
 * also be run alone: `node bench/overload.ts [SECONDS]`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { type BenchRow, quantile, table } from "./rows.ts";
import { type Target, withService } from "./service-target.ts";

/** Time after which a client stops waiting for a response. */
const patienceSeconds = 10;
const examples = join(import.meta.dirname, "../examples");

interface Call {
  method: string;
  path: string;
  body?: string;
}

/** Takes about five minutes. */
export async function benchOverload(seconds = 60): Promise<BenchRow[]> {
  const { DATABASE_URL } = process.env;
  return withService({ DATABASE_URL, SHEAF_RATE_LIMIT: "0" }, async (_, target) => {
    const { light, heavy } = await callsOf(target);
    const mixed = [...light, ...light, ...light, heavy];
    return [
      ...(await underOverload("light requests", target, light, seconds)),
      ...(await underOverload("9 light requests to 1 extraction", target, mixed, seconds)),
    ];
  });
}

async function callsOf(target: Target): Promise<{ light: Call[]; heavy: Call }> {
  const agent = { method: "POST", path: "/v2/agents", body: JSON.stringify({ name: "Corpus", type: "DOCUMENTALIST" }) };
  const headers = { "x-api-key": target.token, "content-type": "application/json" };
  const { data } = (await (await fetch(target.url + agent.path, { ...agent, headers })).json()) as {
    data: { reference: string };
  };
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
  await offered(target, calls, { connections: 32, seconds: 3 });
  const before = await alone(target);
  const most = perSecond(await offered(target, calls, { connections: 32, seconds: Math.max(5, seconds / 4) }), "good");
  await sleep(1_000);
  const health = watch(target);
  const twice = await offered(target, calls, { connections: 1_000, seconds, rate: Math.ceil(2 * most) });
  const healthTimes = await health();
  await sleep(5_000);
  const after = await alone(target);
  const good = perSecond(twice, "good");
  const row = (what: string, value: number, unit: string, against = "", ratio?: number): BenchRow => ({
    name: `${name}: ${what}`,
    value,
    unit,
    against,
    ...(ratio !== undefined && { ratio }),
  });
  return [
    row("peak throughput", most, "/s"),
    row("twice the peak offered: throughput", good, "/s", `peak ${most.toFixed(0)}`, good / most),
    row("successful responses, 99th percentile", quantile(twice.goodMs, 0.99), "ms"),
    row("refused with 503, envelope and Retry-After", perSecond(twice, "refused"), "/s"),
    row(`no response within ${patienceSeconds} s, or aborted`, twice.late, "", "limit 0"),
    row("any other response", twice.wrong, "", "limit 0"),
    row("meanwhile, health over new connections, 99th percentile", quantile(healthTimes, 0.99), "ms"),
    row("a request 5 s later, 95th percentile", after, "ms", `before: ${before.toFixed(1)}`, after / before),
  ];
}

interface Outcomes {
  seconds: number;
  good: number;
  refused: number;
  late: number;
  wrong: number;
  /** Response times of the successful requests, in milliseconds. */
  goodMs: number[];
}

const perSecond = (outcomes: Outcomes, outcome: "good" | "refused"): number => outcomes[outcome] / outcomes.seconds;

/**
 * Sends the calls in turn, over `connections` connections. If `rate` is given, sends that many
 * calls per second. Otherwise, each connection sends a call as soon as the previous response has
 * arrived.
 */
async function offered(
  { url, token }: Target,
  calls: Call[],
  { connections, seconds, rate }: { connections: number; seconds: number; rate?: number },
): Promise<Outcomes> {
  const outcomes: Outcomes = { seconds, good: 0, refused: 0, late: 0, wrong: 0, goodMs: [] };
  const onResponse = (status: number, body: string, _context: object, headers: Record<string, string> = {}) => {
    const isRefusal =
      status === 503 && Number(headers["retry-after"]) > 0 && body.includes('"code":"agent_unavailable"');
    if (isRefusal) outcomes.refused++;
    else if (status < 200 || status >= 300) outcomes.wrong++;
  };
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    timeout: patienceSeconds,
    headers: { "x-api-key": token, "content-type": "application/json" },
    requests: calls.map((call) => ({ ...call, onResponse })),
    ...(rate !== undefined && { overallRate: rate, ignoreCoordinatedOmission: true }),
  });
  run.on("response", (_client: unknown, status: number, _bytes: number, ms: number) => {
    if (status >= 200 && status < 300) outcomes.goodMs.push(ms);
  });
  const { errors } = await run;
  return { ...outcomes, good: outcomes.goodMs.length, late: errors };
}

/**
 * Sends requests one after another for three seconds. Returns the 95th percentile of the response
 * times, in milliseconds.
 */
async function alone({ url, token }: Target): Promise<number> {
  const times: number[] = [];
  for (const end = performance.now() + 3_000; performance.now() < end; await sleep(5))
    times.push(await timed(`${url}/v2/agents`, { "x-api-key": token }));
  return quantile(times, 0.95);
}

/**
 * Requests the health endpoint ten times per second, each time over a new connection. Returns a
 * function that stops these requests and returns the response times.
 */
function watch({ url }: Target): () => Promise<number[]> {
  const times: number[] = [];
  let stopped = false;
  const watching = (async () => {
    for (; !stopped; await sleep(100)) times.push(await timed(`${url}/healthz`, { connection: "close" }));
    return times;
  })();
  return () => {
    stopped = true;
    return watching;
  };
}

/** Returns the response time in milliseconds; Infinity if there was no valid response. */
async function timed(url: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    return response.ok ? performance.now() - startedAt : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

if (import.meta.main) console.log(table(await benchOverload(Number(process.argv[2] ?? 60))));
