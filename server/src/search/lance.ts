/** Loads LanceDB with its environment set, when the first index is opened. */
import { availableParallelism } from "node:os";

export type Lance = typeof import("@lancedb/lancedb");

/**
 * Building a full-text index parks one thread of the engine's pool for each shard while it waits for another thread of the same pool; the pool that it
 * makes by itself on machines with one to three cores has one thread, and the build never ends (lancedb/lancedb#3568). So builds of one shard, few at
 * once (`maxBuilds`), in a pool that has more threads than these take.
 */
export const maxBuilds = 3;
const minThreads = 2 * maxBuilds + 2;

export function loadLance(): Promise<Lance> {
  // Read once, when the library is loaded. By default it warns at every new table.
  process.env.LANCEDB_LOG ??= "error";
  process.env.LANCE_FTS_NUM_SHARDS ??= "1";
  process.env.LANCE_CPU_THREADS ??= String(Math.max(minThreads, availableParallelism()));
  return import("@lancedb/lancedb");
}
