/** Finds child processes of a process, and the resources that they use, in Linux's `/proc`. */
import { readdirSync, readFileSync } from "node:fs";

/** Returns the ids of the running child processes of `parent`. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => parentOf(id) === parent);
}

/**
 * Returns the id of the parent process. Returns undefined if the process has exited, even if its
 * parent has not yet noticed the exit (a zombie).
 */
function parentOf(id: number): number | undefined {
  try {
    // The state and the parent come after the name, which is in parentheses.
    const [state, parent] = readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

/** Returns the processor time of a process, in clock ticks of the kernel. */
export function cpuTicksOf(id: number): number {
  const [, , , , , , , , , , , user, system] =
    readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
  return Number(user) + Number(system);
}

export const isAlive = (id: number): boolean => parentOf(id) !== undefined;

/**
 * Maximum time that `until` waits, in milliseconds. It is shorter than the time limit of a test,
 * because otherwise the polling would continue after the test has failed.
 */
const maxWaitMs = 120_000;

/**
 * Checks `test` every few milliseconds and resolves when it returns true.
 * @throws Error after two minutes
 */
export async function until(test: () => boolean): Promise<void> {
  for (const end = performance.now() + maxWaitMs; !test(); ) {
    if (performance.now() > end) throw new Error("The expected state was not reached in time.");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Returns the memory of a process and all its descendants, in bytes. Memory that they share counts
 * once.
 */
export function memoryOfTree(root: number): number {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((id) => [Number(id), parentOf(Number(id))]));
  const descends = (id: number | undefined): boolean => id === root || (!!id && descends(parents.get(id)));
  return [...parents.keys()].filter(descends).reduce((sum, id) => sum + memoryOf(id), 0);
}

function memoryOf(id: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "latin1"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
