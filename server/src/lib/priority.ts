/** Scheduling priority of what computes for long: the event loop responds to everybody, so it gets the processor first. */
import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lets a process that has just been started yield to this one. Call it before the process starts threads, which inherit the priority.
 * A system that refuses leaves it as it is.
 */
export function yieldProcess(pid: number | undefined): void {
  if (pid !== undefined) lower(pid);
}

/** Lets the calling worker thread yield to the event loop of its process. Linux alone has priorities of threads. */
export function yieldThread(): void {
  if (process.platform !== "linux") return;
  try {
    // <pid>/task/<tid>
    lower(Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
  } catch {
    // No /proc is mounted.
  }
}

function lower(id: number): void {
  try {
    setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system allows no change.
  }
}
