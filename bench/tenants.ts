/**
 * Measures whether one organization can slow down others. Three organizations send requests at a
 * moderate rate. Then a fourth attacks in several ways at once: with questions that once blocked
 * the event loop, silent connections, slow files, and a model whose response never ends. The
 * throughput of the three must not fall. `TENANTS_SECONDS` is the duration of each of the two
 * halves, without and with the attack (default: 300, so ten minutes in all). `TENANTS_PER_SECOND`
 * is the rate of the three organizations together. Can also be run alone: `node bench/tenants.ts`.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCredential } from "../server/src/features/organizations/credentials.service.ts";
import { createOrganization } from "../server/src/features/organizations/organizations.service.ts";
import { openKeys } from "../server/src/lib/keys.ts";
import { yieldProcess } from "../server/src/lib/priority.ts";
import { openRecords } from "../server/src/records/records.ts";
import { type BenchRow, quantile, table } from "./rows.ts";
import {
  type StartedService,
  serviceProcess,
  settingsIn,
  type Target,
  targetOf,
  withFolder,
} from "./service-target.ts";
import { type Done, openWorkload, type Workload } from "./workload.ts";

const halfMs = Number(process.env.TENANTS_SECONDS ?? 300) * 1_000;
/**
 * Requests per second. Far below the capacity of two cores, so that only the attack can reduce the
 * throughput.
 */
const perSecond = Number(process.env.TENANTS_PER_SECOND ?? 12);
const probeEveryMs = 100;
const leastKept = 0.8;
const mostHealthMs = 100;

export interface Half {
  done: Done[];
  healthMs: number[];
  sent: number;
}

export interface TenantsUnderAttack {
  idle: Half;
  attacked: Half;
  /** Number of responses to the attacker, by kind of request and status. */
  statuses: Record<string, number>;
}

/**
 * Returns the number of requests that were served in time, without a network error and with a
 * status below 500.
 */
export const servedIn = ({ done }: Half): number => done.filter(({ status }) => status > 0 && status < 500).length;

export async function benchTenants(): Promise<BenchRow[]> {
  return rowsOf(await attackTenants(halfMs));
}

/**
 * @param files invoices that the three organizations send; by default those of a set of the
 * evaluation data
 */
export async function attackTenants(halfMs: number, files?: readonly string[]): Promise<TenantsUnderAttack> {
  return withFolder(async (folder) => {
    const attacker = fork(join(import.meta.dirname, "tenants-attack.ts"));
    try {
      // Gives the attacker a low priority. It simulates load from other machines, so it must not
      // take processor time from the service.
      yieldProcess(attacker.pid);
      const [{ model }] = (await once(attacker, "message")) as [{ model: string }];
      await using service = serviceProcess({
        ...settingsIn(folder),
        // All connections come from one machine, so the limit by address must not apply.
        SHEAF_ADDRESS_RATE_LIMIT: "0",
        MODEL_URL: model,
        MODEL_NAME: "endless",
      });
      const started = await service.message<StartedService>("service");
      const targets = await organizationsOf(folder, started, ["One", "Two", "Three", "Attacker"]);
      const workloads = await Promise.all(targets.slice(0, 3).map((target) => openWorkload(target, files)));
      await run(workloads, started.url, Math.min(30_000, halfMs));
      const idle = await run(workloads, started.url, halfMs);
      attacker.send({ target: targets[3] });
      await sleep(2_000);
      const attacked = await run(workloads, started.url, halfMs);
      attacker.send({ report: true });
      const [{ statuses }] = (await once(attacker, "message")) as [{ statuses: Record<string, number> }];
      return { idle, attacked, statuses };
    } finally {
      attacker.kill("SIGKILL");
    }
  });
}

/** Creates organizations with one credential each, while the service is running. */
async function organizationsOf(folder: string, { url }: StartedService, names: string[]): Promise<Target[]> {
  const keys = await openKeys(join(folder, "keys"));
  const records = openRecords({ dialect: "sqlite", path: join(folder, "sheaf.db") });
  const targets: Target[] = [];
  const by = { operator: "bench" };
  for (const name of names) {
    const administrator = { name, email: `${name.toLowerCase()}@example.com` };
    const { id } = await createOrganization(records.db, { name, administrator }, by);
    const credential = await createCredential({ db: records.db, keys }, id, { name: "bench" }, by);
    targets.push(await targetOf({ url, ...credential }));
  }
  await records.close();
  return targets;
}

/** Sends requests at a fixed rate, even if responses are late. Late responses are not counted. */
async function run(workloads: readonly Workload[], url: string, ms: number): Promise<Half> {
  const startedAt = performance.now();
  const half: Half = { done: [], healthMs: [], sent: 0 };
  let probes = 0;
  for (let atMs = 0; atMs < ms; atMs = performance.now() - startedAt) {
    for (; half.sent < (atMs / 1000) * perSecond; half.sent++)
      void workloads[half.sent % workloads.length]?.next().then((answer) => half.done.push(answer));
    for (; probes < atMs / probeEveryMs; probes++) void healthMs(url).then((took) => half.healthMs.push(took));
    await sleep(10);
  }
  await sleep(1_000);
  return { ...half, done: [...half.done], healthMs: [...half.healthMs] };
}

async function healthMs(url: string): Promise<number> {
  const startedAt = performance.now();
  try {
    await (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) })).text();
    return performance.now() - startedAt;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function rowsOf({ idle, attacked, statuses }: TenantsUnderAttack): BenchRow[] {
  const share = (half: Half) => servedIn(half) / half.sent;
  const refused = attacked.done.filter(({ status }) => status === 0 || status >= 500);
  const reasons = [...Map.groupBy(refused, ({ kind, status }) => `${kind} ${status}`)].map(
    ([reason, all]) => `${all.length} ${reason}`,
  );
  const [kept, health] = [share(attacked) / share(idle), quantile(attacked.healthMs, 0.99)];
  const shown = Object.entries(statuses).map((entry) => entry.reverse().join(" "));
  return [
    {
      name: "share of the three's requests answered, without attack",
      value: share(idle),
      unit: "",
      against: `${idle.sent} requests`,
    },
    {
      name: ["share answered during the attack", ...reasons].join("; "),
      value: share(attacked),
      unit: "",
      against: "alone",
      ratio: kept,
    },
    {
      name: "share kept, against the minimum",
      value: kept,
      unit: "",
      against: `${leastKept}`,
      ratio: kept / leastKept,
    },
    { name: "/healthz p99, without attack", value: quantile(idle.healthMs, 0.99), unit: "ms", against: "" },
    {
      name: "/healthz p99, during the attack",
      value: health,
      unit: "ms",
      against: `limit ${mostHealthMs}`,
      ratio: health / mostHealthMs,
    },
    { name: `responses to the attacker: ${shown.join("; ")}`, value: shown.length, unit: "kinds", against: "" },
  ];
}

if (import.meta.main) console.log(table(await benchTenants()));
