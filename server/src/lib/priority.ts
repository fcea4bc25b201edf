/**
 * Lowers the scheduling priority of long computations, so that the event loop, which serves all
 * requests, gets the processor first.
 */
import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/**
 * Lets a newly started process yield to this one. Call it before the process starts threads, which
 * inherit the priority. Has no effect if the system refuses.
 */
export function yieldProcess(pid: number | undefined): void {
  if (pid === undefined) return;
  lower(pid);
  lowerGroup(pid);
}

/**
 * Linux may share the processor equally between sessions, whatever the priorities of their
 * processes (sched_autogroup_enabled). A process in a session of its own must lower that of its
 * session.
 */
function lowerGroup(pid: number, attempts = 10): void {
  try {
    const file = `/proc/${pid}/autogroup`;
    if (readFileSync(file, "utf8") === readFileSync("/proc/self/autogroup", "utf8")) return;
    writeFileSync(file, String(constants.priority.PRIORITY_BELOW_NORMAL));
  } catch (error) {
    // Linux accepts one change in 100 ms of all users together, root's aside.
    const isEarly = (error as NodeJS.ErrnoException).code === "EAGAIN" && attempts > 1;
    if (isEarly) setTimeout(lowerGroup, 150, pid, attempts - 1).unref();
    // Else the process has exited, or the system has no such groups.
  }
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
