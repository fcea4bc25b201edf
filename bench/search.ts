/**
 * Compares search over the passages of one agent with other full-text search engines. Each engine
 * runs in a separate process, and all are asked the same questions in turn. Also measures an
 * installation with a thousand agents. `BENCH_PASSAGES` sets the numbers of passages, such as
 * `10000,100000,1000000`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { freemem, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openPassageIndex, type PassageIndex } from "../server/src/search/passage-index.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";
import { passageOf, questions } from "./search-corpus.ts";
import { engines, postgresName } from "./search-engines.ts";
import { type Order, questionsTo, type Reply } from "./search-process.ts";

/** Maximum time per question in milliseconds, and the number of passages at which it applies. */
const [limitMs, limitedSize] = [5, 100_000];
/**
 * Number of passages that other engines index as a trial. An engine is skipped if, extrapolated
 * from the trial, it would need too much time or memory for all passages.
 */
const tried = 10_000;
const maxSeconds = Number(process.env.BENCH_MAX_SECONDS ?? 1_800);
const maxBytes = freemem() / 2;
/** Number of questions that one engine is asked before the next engine takes its turn. */
const turn = 20;
/**
 * The minimum wait for the background optimization, in milliseconds, is the number of passages
 * divided by this value. For 100,000 passages, the minimum wait is 10 s.
 */
const optimizedPerMs = 10;

interface Measured {
  name: string;
  process: EngineProcess;
  indexSeconds: number;
  milliseconds: number[];
  processorMilliseconds: number[];
  bytes: number;
}

class EngineProcess implements AsyncDisposable {
  readonly #child: ChildProcess;

  constructor(name: string, folder: string, questionCount: number) {
    const heap = `--max-old-space-size=${Math.floor(maxBytes / 2 ** 20)}`;
    this.#child = fork(join(import.meta.dirname, "search-process.ts"), [name, folder, `${questionCount}`], {
      execArgv: [heap],
    });
  }

  /** Sends an order and returns the reply; undefined if the process crashed. */
  async tell(order: Order): Promise<Reply | undefined> {
    if (!this.#child.connected) return undefined;
    const died = new AbortController();
    const exit = once(this.#child, "exit", { signal: died.signal }).then(() => undefined);
    const reply = once(this.#child, "message", { signal: died.signal }).then(([message]): Reply => message);
    exit.catch(() => {});
    reply.catch(() => {});
    this.#child.send(order);
    try {
      return await Promise.race([exit, reply]);
    } finally {
      died.abort();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#child.connected) return;
    const exit = once(this.#child, "exit");
    this.#child.disconnect();
    await exit;
  }
}

export async function benchSearch(): Promise<BenchRow[]> {
  const sizes = (process.env.BENCH_PASSAGES ?? "10000,100000").split(",").map(Number);
  const rows: BenchRow[] = [];
  for (const size of sizes) rows.push(...(await inFolder((folder) => compare(folder, size))));
  return [...rows, ...(await inFolder(manyAgents))];
}

async function inFolder(work: (folder: string) => Promise<BenchRow[]>): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-search-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(folder: string, size: number): Promise<BenchRow[]> {
  await using processes = new AsyncDisposableStack();
  const all: Measured[] = [];
  for (const name of Object.keys(engines)) {
    if (name === postgresName && !process.env.TEST_POSTGRES_URL) continue;
    const own = join(folder, name);
    await mkdir(own);
    const engine = processes.use(new EngineProcess(name, own, questionsTo(size)));
    const indexed = await index(engine, size, all.length === 0);
    if (typeof indexed === "number") {
      const measured = { indexSeconds: indexed, milliseconds: [], processorMilliseconds: [], bytes: 0 };
      all.push({ name, process: engine, ...measured });
    } else {
      console.log(`${name} is skipped at ${size} passages: ${indexed}.`);
      await engine[Symbol.asyncDispose]();
    }
  }
  for (let from = 0; from < questionsTo(size); from += turn)
    for (const each of all) {
      const reply = await each.process.tell({ ask: [from, from + turn] });
      if (!reply) throw new Error(`${each.name} crashed on a question`);
      each.milliseconds.push(...reply.milliseconds);
      each.processorMilliseconds.push(...reply.processorMilliseconds);
      each.bytes = reply.bytes;
    }
  console.log(`Load of the machine during the search of ${size} passages: ${loadavg()[0]?.toFixed(1)}.`);
  return rowsOf(size, all);
}

/** Returns the seconds that indexing took, or the reason why it was not completed. */
async function index(engine: EngineProcess, size: number, isOurs: boolean): Promise<number | string> {
  const first = Math.min(size, tried);
  const empty = await engine.tell({ ask: [0, 0] });
  const trial = await engine.tell({ add: [0, first] });
  if (!empty || !trial) return `it died of ${first}`;
  let milliseconds = trial.milliseconds[0] ?? 0;
  if (first < size) {
    const probe = isOurs ? undefined : await engine.tell({ ask: [0, turn / 4] });
    if (probe) {
      const question = probe.milliseconds.reduce((sum, each) => sum + each, 0) / (turn / 4);
      const seconds = ((milliseconds + question * questionsTo(size)) * size) / first / 1_000;
      const bytes = ((probe.bytes - empty.bytes) * size) / first;
      if (seconds > maxSeconds) return `by the first ${first} it would take ${Math.round(seconds / 60)} minutes`;
      if (bytes > maxBytes) return `by the first ${first} it would take ${Math.round(bytes / 2 ** 30)} GiB of memory`;
    }
    const rest = await engine.tell({ add: [first, size] });
    if (!rest) return "its process ran out of memory";
    milliseconds += rest.milliseconds[0] ?? 0;
  }
  const finished = await engine.tell({ finish: true });
  if (!finished) return "its process ran out of memory";
  if (isOurs) await settled(engine, size);
  return (milliseconds + (finished.milliseconds[0] ?? 0)) / 1_000;
}

/**
 * Waits until questions no longer become faster. While they do, the index is still being optimized
 * in the background.
 */
async function settled(engine: EngineProcess, size: number): Promise<void> {
  const started = performance.now();
  let best = Number.POSITIVE_INFINITY;
  for (let calm = 0; calm < 3 || performance.now() - started < size / optimizedPerMs; ) {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const now = quantile((await engine.tell({ ask: [0, turn] }))?.milliseconds ?? [], 0.5);
    calm = now > best * 0.8 ? calm + 1 : 0;
    best = Math.min(best, now);
  }
}

function rowsOf(size: number, [ours, ...peers]: readonly Measured[]): BenchRow[] {
  if (!ours) return [];
  const rows: BenchRow[] = [];
  const beside = (name: string, unit: string, of: (each: Measured) => number, among = peers): void => {
    const value = of(ours);
    for (const peer of among) {
      const theirs = of(peer);
      rows.push({ name, value, unit, against: `${peer.name} ${theirs.toPrecision(3)}`, ratio: value / theirs });
    }
  };
  const inProcess = peers.filter(({ name }) => name !== postgresName);
  const question = `question to ${size} passages`;
  beside(`index ${size} passages`, "passages/s", ({ indexSeconds }) => size / indexSeconds);
  if (size === limitedSize)
    rows.push({ name: `${question}, p50`, ...withinLimit(quantile(ours.milliseconds, 0.5), "ms", limitMs) });
  beside(`${question}, p50`, "ms", ({ milliseconds }) => quantile(milliseconds, 0.5));
  beside(`${question}, p99`, "ms", ({ milliseconds }) => quantile(milliseconds, 0.99));
  const processor = ({ processorMilliseconds }: Measured) => quantile(processorMilliseconds, 0.5);
  beside(`${question}, processor time, p50`, "ms", processor, inProcess);
  beside(`memory of the process with ${size} passages`, "MiB", ({ bytes }) => bytes / 2 ** 20, inProcess);
  return rows;
}

/** Asks each of a thousand small agents in turn, and then one of them repeatedly. */
async function manyAgents(folder: string): Promise<BenchRow[]> {
  const agents = Array.from({ length: 1_000 }, (_, i) => `agent-${i}`);
  const asked = questions(200);
  const time = async (passages: PassageIndex, of: (i: number) => string): Promise<number[]> => {
    const times: number[] = [];
    for (const [i, text] of asked.entries()) {
      const started = performance.now();
      await passages.search(of(i), { text, limit: 10 });
      times.push(performance.now() - started);
    }
    return times;
  };
  await using passages = await openPassageIndex({ folder });
  await fill(passages, "agent-0");
  const alone = quantile(await time(passages, () => "agent-0"), 0.5);
  for (const agent of agents.slice(1)) await fill(passages, agent);
  const one = quantile(await time(passages, () => "agent-0"), 0.5);
  const first = quantile(await time(passages, (i) => agents[i * 5] ?? ""), 0.5);
  const again = quantile(await time(passages, (i) => agents[i * 5] ?? ""), 0.5);
  const memory = process.memoryUsage().rss / 2 ** 20;
  return [
    {
      name: "question to 1 of 1,000 agents of 100 passages, p50",
      value: one,
      unit: "ms",
      against: `alone ${alone.toPrecision(3)}`,
      ratio: one / alone,
    },
    {
      name: "question to each 5th of 1,000 agents, p50",
      value: again,
      unit: "ms",
      against: `the first, which opens its table, ${first.toPrecision(3)}`,
      ratio: again / first,
    },
    { name: "memory of the process with 1,000 agents", value: memory, unit: "MiB", against: "" },
  ];
}

async function fill(index: PassageIndex, agent: string): Promise<void> {
  const passages = Array.from({ length: 100 }, (_, i) => passageOf(i));
  await index.put(agent, { reference: "d0", name: "report-0.pdf", path: "reports" }, passages);
}

if (import.meta.main) console.log(table(await benchSearch()));
