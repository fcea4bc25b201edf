/** Reads processor time and memory of a process with all its children from /proc. */
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

const pageBytes = 4096;

/** Seconds in user and system mode, including those of exited children. */
export const processorSeconds = (root: number): number =>
  treeOf(root).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;

/** Resident bytes; shared pages count for each process. */
export const residentBytes = (root: number): number =>
  treeOf(root).reduce((sum, { pages }) => sum + pages, 0) * pageBytes;

/** Returns the process with all its descendants. */
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
    // The fields after the name in parentheses: state and parent come first. User and system time
    // start at the twelfth, followed by those of exited children. Resident pages come later.
    const fields = readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ id: Number(id), parent: Number(fields[1]), ticks, pages: Number(fields[21]) }];
  } catch {
    return [];
  }
}
