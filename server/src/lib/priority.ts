/**
 * Lowers the scheduling priority of long computations, so that the event loop, which serves all
 * requests, gets the processor first.
 */
import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/**
 * Lets a newly started process yield to this one. Call it before the process starts threads, which
 * inherit the priority. Has no effect if the system refuses.
 */
export function yieldProcess(pid: number | undefined): void {
  if (pid !== undefined) lower(pid);
}

/**
 * Lets the calling worker thread yield to the event loop of its process. Only Linux has priorities
 * per thread.
 */
export function yieldThread(): void {
  if (process.platform !== "linux") return;
  try {
    // <pid>/task/<tid>
    lower(Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
  } catch {
    // No /proc is mounted.
  }
}

/** Leaves a priority that is lower already: root could raise it. */
function lower(id: number): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    if (getPriority(id) < PRIORITY_BELOW_NORMAL) setPriority(id, PRIORITY_BELOW_NORMAL);
  } catch {
    // The process or thread has exited, or the system allows no change.
  }
}
