/**
 * Loads LanceDB when the first index is opened, after setting the environment variables that
 * LanceDB reads.
 */
import { availableParallelism } from "node:os";

export type Lance = typeof import("@lancedb/lancedb");

/**
 * Maximum number of concurrent builds of indexes. While a full-text index is built, each of its
 * shards blocks one thread of the engine's pool and waits for another thread of the pool. On
 * machines with one to three cores, the pool has one thread by default, so the build never ends
 * (lancedb/lancedb#3568). Therefore each build uses one shard, only a few builds run at once, and
 * the pool gets more threads than these builds can block.
 */
export const maxBuilds = 3;
const minThreads = 2 * maxBuilds + 2;

export function loadLance(): Promise<Lance> {
  // The library reads these variables only once, when it is loaded. Its default is to log a warning
  // for every new table.
  process.env.LANCEDB_LOG ??= "error";
  process.env.LANCE_FTS_NUM_SHARDS ??= "1";
  process.env.LANCE_CPU_THREADS ??= String(Math.max(minThreads, availableParallelism()));
  return import("@lancedb/lancedb");
}
