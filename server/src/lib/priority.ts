/**
 * Lowers the scheduling priority of long computations, so that the event loop, which serves all
 * requests, takes precedence.
 */
import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/**
 * Gives a newly started process a lower priority than this one. Call it before that process starts
 * threads, which inherit the priority. Has no effect if the system refuses.
 */
export function yieldProcess(pid: number | undefined): void {
  if (pid === undefined) return;
  lower(pid);
  lowerGroup(pid);
}

/**
 * Linux may divide processor time equally among sessions, whatever the priorities of their
 * processes (sched_autogroup_enabled). So if a process has its own session, the priority of the
 * session must be lowered.
 */
function lowerGroup(pid: number, attempts = 10): void {
  try {
    const file = `/proc/${pid}/autogroup`;
    if (readFileSync(file, "utf8") === readFileSync("/proc/self/autogroup", "utf8")) return;
    writeFileSync(file, String(constants.priority.PRIORITY_BELOW_NORMAL));
  } catch (error) {
    // Linux accepts one change per 100 ms in total from all users except root.
    const isEarly = (error as NodeJS.ErrnoException).code === "EAGAIN" && attempts > 1;
    if (isEarly) setTimeout(lowerGroup, 150, pid, attempts - 1).unref();
    // Ignores any other error: the process has exited, or the system does not group by session.
  }
}

/**
 * Gives the calling worker thread a lower priority than the event loop of its process. Only Linux
 * has priorities per thread.
 */
export function yieldThread(): void {
  if (process.platform !== "linux") return;
  try {
    // The link points to `<pid>/task/<tid>`.
    lower(Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
  } catch {
    // No /proc is mounted.
  }
}

/**
 * Lowers the priority of a process or thread. A priority that is already lower is not changed,
 * because the change would raise it if the process runs as root.
 */
function lower(id: number): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    if (getPriority(id) < PRIORITY_BELOW_NORMAL) setPriority(id, PRIORITY_BELOW_NORMAL);
  } catch {
    // The process or thread has exited, or the system refuses the change.
  }
}
