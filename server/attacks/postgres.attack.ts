/**
 * Attack: breaks the connections to PostgreSQL at random while documents are uploaded, as a network
 * failure or an administrator can.
 */
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { clientOf, settled } from "../test/helpers/killed-service.ts";
import { noCluster, startCluster } from "../test/helpers/postgres-cluster.ts";
import { start, temporaryFolder } from "../test/helpers/process.ts";
import { openProxy } from "../test/helpers/tcp-proxy.ts";
import { sendDocuments } from "../test/helpers/work-under-faults.ts";
import { reportAttack } from "./report.ts";

const durationMs = 15_000;

test("broken connections to PostgreSQL neither lose a document nor end a process", { skip: noCluster }, async (t) => {
  await using folder = await temporaryFolder();
  await using cluster = await startCluster();
  await using proxy = await openProxy(cluster.port);
  await using service = start(["serve"], {
    SHEAF_DATA_DIR: folder.path,
    SHEAF_PORT: "0",
    SHEAF_LOG_LEVEL: "error",
    DATABASE_URL: await cluster.createDatabase("sheaf", proxy.port),
  });
  const client = await clientOf(service);
  const faults: (() => Promise<number>)[] = [
    () => cluster.terminate("sheaf", 0.3),
    () => cluster.terminate("sheaf"),
    async () => proxy.cut(),
    async () => {
      const hole = proxy.openHole();
      await sleep(300);
      hole.close();
      return 1;
    },
  ];
  await using work = sendDocuments(client, 3, "attack");
  let broken = 0;
  for (
    let i = 0, end = performance.now() + durationMs;
    performance.now() < end;
    i++, await sleep(300 * Math.random())
  ) {
    // A proxy that drops all bytes blocks its connections until their deadline, so this fault is
    // used for only one round in 20.
    const fault = faults[i % 20 === 19 ? 3 : Math.floor(3 * Math.random())];
    broken += (await fault?.().catch(() => 0)) ?? 0;
  }
  const { accepted, refused, wrong } = await work.stop();
  const isRunning = service.child.exitCode === null && service.child.signalCode === null;
  if (!isRunning) t.diagnostic((await service.finished).stderr.slice(-2_000));
  reportAttack(t, "broken connections", { tried: broken, succeeded: isRunning ? 0 : 1 });
  const documents = await settled(() => client.list(client.url), 120_000);
  const statuses = Map.groupBy(documents, ({ name }) => name);
  const lost = accepted.filter((name) => statuses.get(name)?.[0]?.status !== "ready");
  const doubled = [...statuses.values()].filter(({ length }) => length > 1);
  t.diagnostic(
    `${accepted.length} documents accepted, ${refused} answers were 503, other failures: ${wrong.join(", ")}`,
  );
  reportAttack(t, "documents lost, stuck or doubled", {
    tried: accepted.length,
    succeeded: lost.length + doubled.length,
  });
  reportAttack(t, "answers that are neither a success nor a 503", {
    tried: accepted.length + refused + wrong.length,
    succeeded: wrong.length,
  });
});
