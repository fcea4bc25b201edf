/** Child processes of a process and what they use, as Linux tells of them. */
import { readdirSync, readFileSync } from "node:fs";

/** The ids of the processes that `parent` started and that are alive. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => parentOf(id) === parent);
}

/** Undefined for a process that is gone, or dead and not yet collected. */
function parentOf(id: number): number | undefined {
  try {
    // After the name, which is in parentheses: state and parent.
    const [state, parent] = readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

/** Processor time that a process has used, in the kernel's ticks. */
export function cpuTicksOf(id: number): number {
  const [, , , , , , , , , , , user, system] =
    readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
  return Number(user) + Number(system);
}

export const isAlive = (id: number): boolean => parentOf(id) !== undefined;

/** Resolves as soon as `test` holds; it is asked every few milliseconds. */
export async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Bytes of memory that a process and all that descend from it hold; what they share counts once. */
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
