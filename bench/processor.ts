/** Reads the processor time and memory of a process and all its descendants from `/proc`. */
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

const pageBytes = 4096;

/** Returns the processor time in seconds, including that of descendants that have exited. */
export const processorSeconds = (root: number): number =>
  treeOf(root).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;

/**
 * Returns the resident memory in bytes. Memory that several processes share is counted once for
 * each of them.
 */
export const residentBytes = (root: number): number =>
  treeOf(root).reduce((sum, { pages }) => sum + pages, 0) * pageBytes;

/** Returns the process and all its descendants. */
function treeOf(root: number): ProcessState[] {
  const all = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => stateOf(name))
      .map((state) => [state.id, state]),
  );
  const belongs = (id: number): boolean => id === root || (all.has(id) && belongs(all.get(id)?.parent ?? 0));
  return [...all.values()].filter(({ id }) => belongs(id));
}

interface ProcessState {
  id: number;
  parent: number;
  ticks: number;
  pages: number;
}

function stateOf(id: string): ProcessState[] {
  try {
    // The name of the process is in parentheses and may contain spaces, so only the fields after it
    // are parsed. Field 0 is the state, and field 1 is the parent. Fields 11 to 14 are the user and
    // system time of the process and of its exited children. Field 21 is the number of resident
    // memory pages.
    const fields = readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ id: Number(id), parent: Number(fields[1]), ticks, pages: Number(fields[21]) }];
  } catch {
    return [];
  }
}
