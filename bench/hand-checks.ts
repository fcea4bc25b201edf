/**
 * Checks limits that tests cannot check reliably on a shared machine:
 * - whether all kinds of failed token requests take the same time
 * - how a flood of failed token requests, and slow connections, affect other clients
 * - how much memory idle connections use
 * Can also be run alone: `node bench/hand-checks.ts`.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { connectionLimitsOf } from "../server/src/http/connections.ts";
import { newId } from "../server/src/lib/ids.ts";
import { openLog } from "../server/src/lib/log.ts";
import { residentBytes } from "./processor.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";
import { type Target, withService } from "./service-target.ts";
import type { MeasuredProcess } from "./upload-process.ts";

const triesOfAKind = 5_000;
const parallelTries = 8;
const floodSeconds = 20;
const floodPerSecond = 500;
const slowOfAKind = 200;
const idleConnections = 10_000;

/** Takes about two minutes. */
export async function benchHandChecks(): Promise<BenchRow[]> {
  const wanted = { max: idleConnections, maxPerNetwork: idleConnections };
  if ((await connectionLimitsOf(wanted, openLog("silent"))).max < idleConnections)
    throw new Error(`${idleConnections} connections need more open files: try again after \`ulimit -n 11000\`.`);
  const settings = {
    SHEAF_RATE_LIMIT: "0",
    SHEAF_ADDRESS_RATE_LIMIT: "0",
    SHEAF_MAX_ADDRESS_CONNECTIONS: String(2 * idleConnections),
  };
  return withService(settings, async (service, target) => [
    ...(await failedTries(target)),
    ...(await flood(target)),
    ...(await slow(target)),
    ...(await idle(service, target)),
  ]);
}

/**
 * Returns invalid token requests. The service must answer all of them with the same response, and
 * take the same time for each.
 */
function wrongForms(target: Target) {
  const grant = "grant_type=client_credentials";
  return {
    "wrong secret": `${grant}&client_id=${clientIdOf(target)}&client_secret=wrong`,
    "unknown id": `${grant}&client_id=${newId()}&client_secret=wrong`,
    "empty parameters": `${grant}&client_id=&client_secret=`,
    "array parameters": `${grant}&client_id[]=${clientIdOf(target)}&client_secret[]=wrong`,
  };
}

/** Returns the client id that is stored in the token. */
const clientIdOf = ({ token }: Target): string =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sub;

async function failedTries(target: Target): Promise<BenchRow[]> {
  const kinds = Object.entries(wrongForms(target)).map(([name, form]) => ({ name, form, times: [] as number[] }));
  const [wrongSecret, ...others] = kinds as [Kind, ...Kind[]];
  const answers = new Set<string>();
  const tries = shuffled(kinds.flatMap((kind) => Array<Kind>(triesOfAKind).fill(kind)));
  const client = async () => {
    for (let one = tries.pop(); one; one = tries.pop()) {
      const startedAt = performance.now();
      const answer = await fetch(`${target.url}/v2/token`, { method: "POST", headers: formHeaders, body: one.form });
      answers.add(`${answer.status} ${await answer.text()}`);
      one.times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: parallelTries }, client));
  return [
    { name: "failed token requests: different responses", ...withinLimit(answers.size, "", 1) },
    ...others.map(({ name, times }) => ({
      name: `wrong secret against ${name}, ${2 * triesOfAKind} attempts: Welch's t of the times`,
      ...withinLimit(welch(wrongSecret.times, times), "", 4.5),
    })),
  ];
}

interface Kind {
  name: string;
  form: string;
  times: number[];
}

const formHeaders = { "content-type": "application/x-www-form-urlencoded" };

async function flood(target: Target): Promise<BenchRow[]> {
  const body = wrongForms(target)["wrong secret"];
  let refused = 0;
  const onResponse = (status: number) => {
    if (status === 401) refused++;
  };
  const run = autocannon({
    url: target.url,
    connections: 50,
    duration: floodSeconds,
    timeout: 10,
    headers: formHeaders,
    requests: [{ method: "POST", path: "/v2/token", body, onResponse }],
    overallRate: floodPerSecond,
  });
  const meanwhile = await othersDuring(target, Promise.resolve(run));
  return [
    { name: "wrong secrets refused", value: refused / floodSeconds, unit: "/s", against: `sent ${floodPerSecond}` },
    meanwhile,
  ];
}

async function slow(target: Target): Promise<BenchRow[]> {
  const head = `POST /v2/extractor HTTP/1.1\r\nHost: x\r\nx-api-key: ${target.token}\r\n`;
  const body = `${head}Content-Type: application/json\r\nContent-Length: 40000000\r\n\r\n{"filename":"a.pdf","file":"`;
  const all = Promise.all(
    [head, body].flatMap((start) => Array.from({ length: slowOfAKind }, () => drip(target, start))),
  );
  const meanwhile = await othersDuring(target, all);
  const name = `${slowOfAKind} slow heads and ${slowOfAKind} slow bodies: the last is closed after`;
  return [{ name, ...withinLimit(Math.max(...(await all)), "s", 15) }, meanwhile];
}

/**
 * Sends `start`, and then one byte per second. Returns the seconds until the service closes the
 * connection.
 */
async function drip({ url }: Target, start: string): Promise<number> {
  const startedAt = performance.now();
  const socket = connect(Number(new URL(url).port), new URL(url).hostname);
  socket
    .resume()
    .on("error", () => {})
    .write(start);
  const timer = setInterval(() => socket.write("x"), 1_000);
  // Does not use `once`, which would reject if a write to the closed connection fails.
  await new Promise((resolve) => socket.on("close", resolve));
  clearInterval(timer);
  return (performance.now() - startedAt) / 1000;
}

/** Measures the response times of `GET /v2/agents` until `work` ends. */
async function othersDuring(target: Target, work: Promise<unknown>): Promise<BenchRow> {
  let over = false;
  const end = work.finally(() => {
    over = true;
  });
  const times: number[] = [];
  for (; !over; await sleep(10)) times.push(await timed(target));
  await end;
  return { name: "meanwhile, GET /v2/agents: 99th percentile", ...withinLimit(quantile(times, 0.99), "ms", 200) };
}

async function idle(service: MeasuredProcess, target: Target): Promise<BenchRow[]> {
  const residentMb = () => residentBytes(service.child.pid ?? 0) / 1e6;
  const sockets: Socket[] = [];
  const before = residentMb();
  // Opens 200 connections at a time, because the accept queue of the operating system is limited.
  while (sockets.length < idleConnections)
    sockets.push(...(await Promise.all(Array.from({ length: 200 }, () => askOnce(target)))));
  const growth = residentMb() - before;
  const ms = await timed(target, { connection: "close" });
  const closed = sockets.filter((socket) => socket.closed).length;
  for (const socket of sockets) socket.destroy();
  return [
    { name: `${idleConnections} idle connections: memory growth`, ...withinLimit(growth, "MB", 200) },
    { name: "closed by then", value: closed, unit: "", against: "limit 0" },
    { name: "meanwhile, GET /v2/agents over a new connection", value: ms, unit: "ms", against: "" },
  ];
}

/** Opens a connection, sends one request and keeps the connection open. */
async function askOnce({ url }: Target): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), new URL(url).hostname);
  socket.on("error", () => {}).write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  await Promise.race([once(socket, "data"), once(socket, "close")]);
  return socket;
}

/** Returns the response time in milliseconds; Infinity if there was no valid response. */
async function timed({ url, token }: Target, headers: Record<string, string> = {}): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/v2/agents`, { headers: { "x-api-key": token, ...headers } }).catch(
    () => undefined,
  );
  await answer?.arrayBuffer();
  return answer?.ok ? performance.now() - startedAt : Number.POSITIVE_INFINITY;
}

/** Shuffles the array in place, with equal probability for every order. */
function shuffled<T>(values: T[]): T[] {
  for (let last = values.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [values[last], values[other]] = [values[other] as T, values[last] as T];
  }
  return values;
}

/** Returns Welch's t: the difference of two means, divided by its standard error. */
function welch(a: readonly number[], b: readonly number[]): number {
  const [one, other] = [spread(a), spread(b)];
  return Math.abs(one.mean - other.mean) / Math.sqrt(one.variance / a.length + other.variance / b.length);
}

function spread(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1) };
}

if (import.meta.main) console.log(table(await benchHandChecks()));
