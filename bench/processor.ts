/** Processor time of a process with all its children, as Linux counts it. */
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** Seconds in user and system mode, those of children that have ended included. */
export function processorSeconds(root: number): number {
  const all = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => timesOf(name))
      .map((times) => [times.id, times]),
  );
  const belongs = (id: number): boolean => id === root || (all.has(id) && belongs(all.get(id)?.parent ?? 0));
  return [...all.values()].filter(({ id }) => belongs(id)).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

function timesOf(id: string): { id: number; parent: number; ticks: number }[] {
  try {
    // After the name, which is in parentheses: state, parent; user, system and the same of ended children from the twelfth on.
    const fields = readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ id: Number(id), parent: Number(fields[1]), ticks }];
  } catch {
    return [];
  }
}
