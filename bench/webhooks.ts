/**
 * Measures deliveries of events to a receiver on the same machine, with SQLite: deliveries per
 * second, and the time from the commit of the event to its arrival.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFirstOrganization,
  listOrganizations,
} from "../server/src/features/organizations/organizations.service.ts";
import { Deliverer } from "../server/src/features/webhooks/deliver-webhook.job.ts";
import { emitEvent } from "../server/src/features/webhooks/events.service.ts";
import { putWebhook } from "../server/src/features/webhooks/webhooks.service.ts";
import { catalog } from "../server/src/jobs/catalog.ts";
import { type Handler, type Handlers, Runner } from "../server/src/jobs/runner.ts";
import type { Caller } from "../server/src/lib/caller.ts";
import { openKeys } from "../server/src/lib/keys.ts";
import { openLog } from "../server/src/lib/log.ts";
import { openOutbound } from "../server/src/net/outbound.ts";
import { openRecords } from "../server/src/records/records.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";

const pile = 5_000;
const singly = 300;
const everyMs = 10;

export async function benchWebhooks(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const records = openRecords({ dialect: "sqlite", path: join(folder, "sheaf.db") });
  stack.defer(() => records.close());
  const { db } = records;
  await records.migrate();
  const keys = await openKeys(join(folder, "keys"));
  await createFirstOrganization({ db, keys });
  const [organization] = await listOrganizations(db);
  const organizationId = organization?.id ?? "";
  const nobody = { memberId: "", userId: "", credentialId: null, address: "", requestId: "" };
  const caller: Caller = { organizationId, role: "administrator", channel: "api", ...nobody };

  const receiver = fork(join(import.meta.dirname, "webhooks-receiver.ts"));
  stack.defer(() => void receiver.kill());
  const [{ port }] = await once(receiver, "message");
  const received = new Map<string, number>();
  receiver.on("message", ({ name, at }: { name: string; at: number }) => received.set(name, at));

  const outbound = openOutbound({ allowed: ["127.0.0.1"], allowHttp: true, dnsServers: undefined });
  stack.defer(() => outbound.close());
  const deliverer = new Deliverer({ db, keys, outbound });
  const event = "document.ingestion_completed";
  const mayPost = (url: string) => outbound.mayPost(url);
  await putWebhook({ db, keys, mayPost, cancelDeliveries: () => {} }, caller, event, `http://127.0.0.1:${port}/`);
  const idle: Handler = { concurrency: 1, run: async () => undefined };
  const others = Object.fromEntries(Object.keys(catalog).map((name) => [name, idle]));
  const handlers = { ...others, "delivery.send": deliverer.job } as Handlers;
  const runner = new Runner({ db, log: openLog("silent"), handlers, worker: "bench" });
  stack.defer(() => runner.stop());

  const emit = async (names: readonly string[]): Promise<number> => {
    await db.transaction().execute(async (transaction) => {
      for (const name of names)
        await emitEvent(transaction, organizationId, event, {
          agent_reference: organizationId,
          document_reference: organizationId,
          status: "ready",
          name,
          path: "",
        });
    });
    return performance.timeOrigin + performance.now();
  };
  const arrived = async (count: number) => {
    while (received.size < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await emit(Array.from({ length: pile }, (_, i) => `pile ${i}`));
  const startedAt = performance.now();
  await runner.start();
  await arrived(pile);
  const perSecond = pile / ((performance.now() - startedAt) / 1_000);

  const latencies: number[] = [];
  for (let i = 0; i < singly; i++) {
    const committedAt = await emit([`single ${i}`]);
    runner.wake();
    await arrived(pile + i + 1);
    latencies.push((received.get(`single ${i}`) ?? 0) - committedAt);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return [
    {
      name: `${pile} waiting deliveries`,
      value: perSecond,
      unit: "/s",
      against: "target 500",
      ratio: perSecond / 500,
    },
    { name: "from commit to receipt, p50", value: quantile(latencies, 0.5), unit: "ms", against: "" },
    { name: "from commit to receipt, p99", ...withinLimit(quantile(latencies, 0.99), "ms", 2_000) },
  ];
}

if (import.meta.main) console.log(table(await benchWebhooks()));
