/** Loads LanceDB, with its environment set, when the first index is opened. */
import { availableParallelism } from "node:os";

export type Lance = typeof import("@lancedb/lancedb");

/**
 * Maximum concurrent index builds. A build of a full-text index parks one thread of the engine's
 * pool per shard while it waits for another. On machines with one to three cores, the engine's own
 * pool has one thread, and the build never ends (lancedb/lancedb#3568). So builds have one shard,
 * few run at once, and the pool has more threads than they take.
 */
export const maxBuilds = 3;
const minThreads = 2 * maxBuilds + 2;

export function loadLance(): Promise<Lance> {
  // The library reads these once, when it is loaded. By default it warns at every new table.
  process.env.LANCEDB_LOG ??= "error";
  process.env.LANCE_FTS_NUM_SHARDS ??= "1";
  process.env.LANCE_CPU_THREADS ??= String(Math.max(minThreads, availableParallelism()));
  return import("@lancedb/lancedb");
}
