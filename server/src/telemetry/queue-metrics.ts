/**
 * Queue metrics, queried from the database at a scrape. Results are reused for some seconds, so
 * that scrapes cause little load.
 */
import { type KindOfJob, summarizeJobs } from "../jobs/queue.ts";
import type { Db } from "../records/records.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Minimum interval between two queries, in milliseconds. Counting 100,000 jobs takes SQLite a few
 * hundredths of a second.
 */
const restMs = 10_000;
/**
 * Maximum duration of a query, in milliseconds. A slower database counts as down, and the scrape
 * continues without these metrics.
 */
const patienceMs = 2_000;

export function watchQueue(db: Db, metrics: Metrics): void {
  let look: Promise<void> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  metrics.atScrape(async () => {
    if (performance.now() - lookedAt >= restMs) {
      lookedAt = performance.now();
      look = summarizeJobs(db).then(
        (kinds) => show(metrics, kinds),
        () => metrics.databaseUp.set(0),
      );
    }
    await inTime(look, () => metrics.databaseUp.set(0));
  });
}

function show(metrics: Metrics, kinds: readonly KindOfJob[]): void {
  metrics.queue.reset();
  metrics.oldestDue.reset();
  metrics.pendingDeliveries.set(0);
  metrics.databaseUp.set(1);
  for (const { name, due, later, running, failed, oldestDueMs } of kinds) {
    for (const [state, count] of Object.entries({ due, later, running, failed }))
      metrics.queue.set({ name, state }, count);
    metrics.oldestDue.set({ name }, oldestDueMs / 1000);
    if (name === "delivery.send") metrics.pendingDeliveries.set(due + later + running);
  }
}

async function inTime(work: Promise<void> | undefined, late: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      late();
      resolve();
    }, patienceMs);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
