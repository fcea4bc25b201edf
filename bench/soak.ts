/**
 * Sends mixed requests for ten minutes (`SOAK_MINUTES`), at half the rate that the service can
 * serve. Memory must not grow, no response may have a 5xx status, and responses must not become
 * slower. Can also be run alone: `node bench/soak.ts`.
 */
import { residentBytes } from "./processor.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";
import { withService } from "./service-target.ts";
import type { MeasuredProcess } from "./upload-process.ts";
import { type Done, openWorkload, type Workload } from "./workload.ts";

const soakMs = Number(process.env.SOAK_MINUTES ?? 10) * 60_000;
const warmMs = 30_000;
const capacityMs = 30_000;
const parallel = 8;

interface Sample {
  atMs: number;
  mb: number;
}

export async function benchSoak(): Promise<BenchRow[]> {
  // No rate limits, because one client sends as many requests as a whole organization.
  return withService({ SHEAF_RATE_LIMIT: "0", SHEAF_ADDRESS_RATE_LIMIT: "0" }, async (service, target) => {
    const workload = await openWorkload(target);
    await atOnce(workload, warmMs);
    const capacity = (await atOnce(workload, capacityMs)).length / (capacityMs / 1000);
    return soak(service, workload, capacity / 2);
  });
}

/**
 * Sends each request as soon as a previous response has arrived. The number of responses shows the
 * capacity.
 */
async function atOnce(workload: Workload, ms: number): Promise<Done[]> {
  const end = performance.now() + ms;
  const done: Done[] = [];
  const client = async () => {
    while (performance.now() < end) done.push(await workload.next());
  };
  await Promise.all(Array.from({ length: parallel }, client));
  return done;
}

async function soak(service: MeasuredProcess, workload: Workload, perSecond: number): Promise<BenchRow[]> {
  const startedAt = performance.now();
  const done: (Done & { atMs: number })[] = [];
  const samples: Sample[] = [];
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  while (performance.now() - startedAt < soakMs) {
    const atMs = performance.now() - startedAt;
    // Sends requests at a fixed rate, even if responses are late.
    for (; sent < (atMs / 1000) * perSecond; sent++) {
      const one = workload.next().then((answer) => {
        done.push({ ...answer, atMs });
        underWay.delete(one);
      });
      underWay.add(one);
    }
    const second = Math.floor(atMs / 1000);
    if (samples.length <= second) samples.push({ atMs, mb: residentBytes(service.child.pid ?? 0) / 2 ** 20 });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await Promise.all(underWay);
  // Ignores the first third, in which memory rises to its normal level.
  const late = samples.filter(({ atMs }) => atMs > soakMs / 3);
  const p99 = (from: number, to: number) => {
    const within = done.filter(({ atMs }) => atMs >= from * soakMs && atMs < to * soakMs);
    return quantile(
      within.map(({ ms }) => ms),
      0.99,
    );
  };
  const refused = done.filter(({ status }) => status >= 500 || status === 0);
  const reasons = [...Map.groupBy(refused, ({ kind, status }) => `${kind} ${status}`)].map(
    ([reason, all]) => `${all.length} ${reason}`,
  );
  const [first, last] = [p99(0, 1 / 3), p99(2 / 3, 1)];
  return [
    { name: "requests", value: done.length, unit: "", against: `${perSecond.toFixed(0)}/s, half of the capacity` },
    {
      name: ["5xx or missing responses", ...reasons].join("; "),
      value: refused.length,
      unit: "",
      against: "none",
    },
    {
      name: "peak memory of all processes",
      value: Math.max(...samples.map(({ mb }) => mb)),
      unit: "MiB",
      against: "",
    },
    { name: "memory, growth in the last two thirds", ...withinLimit(slope(late) * 60_000, "MiB/min", 2) },
    { name: "p99 at the beginning", value: first, unit: "ms", against: "" },
    { name: "p99 at the end", value: last, unit: "ms", against: "that at the beginning", ratio: last / first },
  ];
}

/** Returns the growth of memory in MiB per millisecond, by least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ atMs }) => atMs)), mean(samples.map(({ mb }) => mb))];
  const above = samples.reduce((sum, { atMs, mb }) => sum + (atMs - x) * (mb - y), 0);
  return above / samples.reduce((sum, { atMs }) => sum + (atMs - x) ** 2, 0);
}

if (import.meta.main) console.log(table(await benchSoak()));
