/** Processor time of another process, read from Linux's `/proc`. */
import { readFileSync } from "node:fs";

/**
 * Unit of times in `/proc`, in milliseconds: USER_HZ is 100 on every processor that Node runs on.
 */
const tickMs = 10;

/**
 * Returns the processor time of all threads of a process, in milliseconds; undefined if it has
 * exited or there is no `/proc`.
 */
export function processTimeOf(pid: number): number | undefined {
  try {
    // The name is in parentheses and may contain spaces. Behind it, the state is field 1, user and
    // system time are fields 12 and 13.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : undefined;
  } catch {
    return undefined;
  }
}
