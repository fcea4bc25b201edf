/**
 * Search over passages in one agent beside other full-text searches on the same questions, asked in turn in one process; and in an
 * installation of a thousand agents. BENCH_PASSAGES gives the sizes, as `10000,100000,1000000`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPassageIndex, type PassageIndex } from "../server/src/search/passage-index.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";
import { passageOf, questions } from "./search-corpus.ts";
import { miniSearch, orama, postgres, type SearchPeer, sqliteFts5 } from "./search-peers.ts";

const perDocument = 200;
const asked = questions(200);
const limitMs = 5;

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
  await using index = await openPassageIndex({ folder: join(folder, "index") });
  const peers = await peersFor(folder, size);
  const ourSpeed = size / (await seconds(() => fill(index, "one", size)));
  await settled(index, "one");
  const rows: BenchRow[] = [];
  const times: number[][] = [[], ...peers.map(() => [])];
  const processor: number[][] = [[], ...peers.map(() => [])];
  for (const peer of peers) {
    const time = await seconds(async () => {
      for (let from = 0; from < size; from += 1_000)
        await peer.add(Array.from({ length: Math.min(1_000, size - from) }, (_, i) => passageOf(from + i).text));
      await peer.ready();
    });
    const against = `${peer.name} ${(size / time).toFixed(0)}`;
    rows.push({
      name: `index ${size} passages`,
      value: ourSpeed,
      unit: "passages/s",
      against,
      ratio: (ourSpeed * time) / size,
    });
  }
  for (const text of asked) {
    const finds = [() => index.search("one", { text, limit: 10 }), ...peers.map((peer) => () => peer.find(text))];
    for (const [i, find] of finds.entries()) {
      const before = process.cpuUsage();
      times[i]?.push(1_000 * (await seconds(find)));
      const { user, system } = process.cpuUsage(before);
      processor[i]?.push((user + system) / 1_000);
    }
  }
  const ours = times[0] ?? [];
  rows.push({ name: `question to ${size} passages, p50`, ...withinLimit(quantile(ours, 0.5), "ms", limitMs) });
  for (const [part, label] of [
    [0.5, "p50"],
    [0.99, "p99"],
  ] as const)
    for (const [i, peer] of peers.entries()) {
      const [value, theirs] = [quantile(ours, part), quantile(times[i + 1] ?? [], part)];
      const against = `${peer.name} ${theirs.toPrecision(3)}`;
      rows.push({ name: `question to ${size} passages, ${label}`, value, unit: "ms", against, ratio: value / theirs });
    }
  for (const [i, peer] of peers.entries()) {
    if (peer.name.startsWith("PostgreSQL")) continue;
    const [value, theirs] = [quantile(processor[0] ?? [], 0.5), quantile(processor[i + 1] ?? [], 0.5)];
    const against = `${peer.name} ${theirs.toPrecision(3)}`;
    const name = `question to ${size} passages, processor time, p50`;
    rows.push({ name, value, unit: "ms", against, ratio: value / theirs });
  }
  const memory = process.memoryUsage().rss / 2 ** 20;
  rows.push({ name: `memory of the process with ${size} passages and peers`, value: memory, unit: "MiB", against: "" });
  for (const peer of peers) await peer[Symbol.asyncDispose]();
  return rows;
}

async function peersFor(folder: string, size: number): Promise<SearchPeer[]> {
  const url = process.env.TEST_POSTGRES_URL;
  const all = [sqliteFts5(folder), ...(url ? [await postgres(url)] : []), miniSearch(), orama()];
  const [fit, unfit] = [all.filter(({ most }) => most >= size), all.filter(({ most }) => most < size)];
  for (const peer of unfit) {
    console.log(`${peer.name} is left out at ${size} passages, for it would take minutes or gigabytes.`);
    await peer[Symbol.asyncDispose]();
  }
  return fit;
}

/** A question in turn to each of a thousand small agents, and to one of them. */
async function manyAgents(folder: string): Promise<BenchRow[]> {
  const agents = Array.from({ length: 1_000 }, (_, i) => `agent-${i}`);
  const time = async (index: PassageIndex, of: (i: number) => string): Promise<number[]> => {
    const times: number[] = [];
    for (const [i, text] of asked.entries())
      times.push(1_000 * (await seconds(() => index.search(of(i), { text, limit: 10 }))));
    return times;
  };
  await using index = await openPassageIndex({ folder });
  await fill(index, "agent-0", 100);
  const alone = quantile(await time(index, () => "agent-0"), 0.5);
  for (const agent of agents.slice(1)) await fill(index, agent, 100);
  const one = quantile(await time(index, () => "agent-0"), 0.5);
  const first = quantile(await time(index, (i) => agents[i * 5] ?? ""), 0.5);
  const again = quantile(await time(index, (i) => agents[i * 5] ?? ""), 0.5);
  const memory = process.memoryUsage().rss / 2 ** 20;
  return [
    {
      name: "question to 1 of 1,000 agents of 100 passages, p50",
      value: one,
      unit: "ms",
      against: `alone ${alone.toPrecision(3)}`,
      ratio: one / alone,
    },
    { name: "first question to each 5th of 1,000 agents, p50", ...withinLimit(first, "ms", limitMs) },
    { name: "second question to each 5th of 1,000 agents, p50", ...withinLimit(again, "ms", limitMs) },
    { name: "memory of the process with 1,000 agents", value: memory, unit: "MiB", against: "" },
  ];
}

async function fill(index: PassageIndex, agent: string, size: number): Promise<void> {
  for (let from = 0; from < size; from += perDocument) {
    const passages = Array.from({ length: Math.min(perDocument, size - from) }, (_, i) => passageOf(from + i));
    await index.put(agent, { reference: `d${from}`, name: `report-${from}.pdf`, path: "reports" }, passages);
  }
}

/** Waits until questions take no less time than before: the index is optimized in the background. */
async function settled(index: PassageIndex, agent: string): Promise<void> {
  let best = Number.POSITIVE_INFINITY;
  for (let calm = 0; calm < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const times: number[] = [];
    for (const text of asked.slice(0, 20)) times.push(await seconds(() => index.search(agent, { text, limit: 10 })));
    const now = quantile(times, 0.5);
    calm = now > best * 0.8 ? calm + 1 : 0;
    best = Math.min(best, now);
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

if (import.meta.main) console.log(table(await benchSearch()));
