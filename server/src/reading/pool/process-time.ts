/** Processor time of another process, as Linux tells it. */
import { readFileSync } from "node:fs";

/** Unit of times in `/proc`, in milliseconds: USER_HZ is 100 on every processor that Node runs on. */
const tickMs = 10;

/** Returns the processor time of all threads of a process, in milliseconds; undefined if it is gone or there is no `/proc`. */
export function processTimeOf(pid: number): number | undefined {
  try {
    // The name, which is in parentheses, may hold spaces. State is the first field after it, user and system time the 12th and 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : undefined;
  } catch {
    return undefined;
  }
}
