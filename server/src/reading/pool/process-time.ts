/** Measures the processor time of another process, from Linux's `/proc`. */
import { readFileSync } from "node:fs";

/**
 * Length of the unit in which `/proc` states times, in milliseconds. USER_HZ is 100 on every
 * processor that Node supports.
 */
const tickMs = 10;

/**
 * Returns the processor time of all threads of a process, in milliseconds. Returns undefined if the
 * process has exited, or if there is no `/proc`.
 */
export function processTimeOf(pid: number): number | undefined {
  try {
    // The process name is in parentheses and may contain spaces. After it, field 1 is the state,
    // and fields 12 and 13 are the user time and the system time.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : undefined;
  } catch {
    return undefined;
  }
}
