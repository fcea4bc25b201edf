/**
 * Runs 100,000 jobs through the queue, with SQLite. Measures jobs per second, and how much the
 * memory, the write-ahead log and the table grow.
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalog } from "../server/src/jobs/catalog.ts";
import { enqueue } from "../server/src/jobs/queue.ts";
import { type Handler, type Handlers, Runner } from "../server/src/jobs/runner.ts";
import { openLog } from "../server/src/lib/log.ts";
import { openRecords } from "../server/src/records/records.ts";
import { type BenchRow, table, withinLimit } from "./rows.ts";

const jobs = 100_000;
/**
 * Number of jobs after which memory has reached its normal level, so that further growth is a leak.
 */
const warm = 20_000;
/** Number of jobs added per transaction. */
const atOnce = 500;
/** Maximum number of waiting jobs. */
const pile = 5_000;
const organizations = 5;
const MiB = 2 ** 20;

export async function benchJobs(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "sheaf.db");
  const records = openRecords({ dialect: "sqlite", path });
  stack.defer(() => records.close());
  await records.migrate();
  const { db } = records;

  let done = 0;
  const counted: Handler = {
    concurrency: 32,
    run: async () => {
      done++;
      return undefined;
    },
  };
  const handlers = Object.fromEntries(Object.keys(catalog).map((name) => [name, counted])) as unknown as Handlers;
  const runner = new Runner({ db, log: openLog("silent"), handlers, worker: "bench" });
  stack.defer(() => runner.stop());
  const until = async (count: number) => {
    while (done < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  const startedAt = performance.now();
  await runner.start();
  let [warmRss, mostRss, mostWal] = [0, 0, 0];
  for (let sent = 0; sent < jobs; sent += atOnce) {
    await db.transaction().execute(async (transaction) => {
      for (let i = sent; i < sent + atOnce; i++) {
        const of = { organizationId: `o${i % organizations}` };
        await enqueue(transaction, "document.clean", { agent: "a", document: String(i) }, of);
      }
    });
    runner.wake();
    await until(sent + atOnce - pile);
    const { rss } = process.memoryUsage();
    if (done < warm) warmRss = Math.max(warmRss, rss);
    mostRss = Math.max(mostRss, rss);
    mostWal = Math.max(mostWal, (await stat(`${path}-wal`)).size);
  }
  await until(jobs);
  const perSecond = jobs / ((performance.now() - startedAt) / 1_000);
  // Waits, because the last jobs may not have been recorded as done yet.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const rows = await db.selectFrom("jobs").select("id").execute();
  const growth = 100 * (mostRss / warmRss - 1);
  return [
    { name: `${jobs} jobs of ${organizations} organizations`, value: perSecond, unit: "/s", against: "" },
    { name: `memory above its peak up to job ${warm}`, ...withinLimit(growth, "% more", 10) },
    { name: "peak size of the write-ahead log", ...withinLimit(mostWal / MiB, "MiB", 128) },
    { name: "database at the end", value: (await stat(path)).size / MiB, unit: "MiB", against: "" },
    { name: "rows left", value: rows.length, unit: "jobs", against: "target 0" },
  ];
}

if (import.meta.main) console.log(table(await benchJobs()));
