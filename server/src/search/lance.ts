/** Sets environment variables for LanceDB and loads it, when the first index is opened. */
import { availableParallelism } from "node:os";

export type Lance = typeof import("@lancedb/lancedb");

/**
 * Maximum concurrent index builds. While a full-text index is built, each shard blocks one thread
 * of the engine's pool and waits for another. By default, the pool has one thread on machines with
 * one to three cores, so that the build never ends (lancedb/lancedb#3568). So builds have one
 * shard, few run at once, and the pool has more threads than they block.
 */
export const maxBuilds = 3;
const minThreads = 2 * maxBuilds + 2;

export function loadLance(): Promise<Lance> {
  // The library reads these variables once, when it is loaded. By default it logs a warning for
  // every new table.
  process.env.LANCEDB_LOG ??= "error";
  process.env.LANCE_FTS_NUM_SHARDS ??= "1";
  process.env.LANCE_CPU_THREADS ??= String(Math.max(minThreads, availableParallelism()));
  return import("@lancedb/lancedb");
}
