/**
 * Preloaded into a measured process with `--import`. Its parent's message "reset" starts a
 * measurement, and "report" ends it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

export interface ProcessReport {
  /** Resident memory at "reset", and its peak since then, in bytes. */
  rssBefore: number;
  rssPeak: number;
  /**
   * Longest time between two turns of the event loop, in milliseconds. Includes the normal time
   * between turns.
   */
  longestStallMs: number;
  /** 99th percentile of the time between turns, in milliseconds. */
  stallP99Ms: number;
}

const eventLoopDelay = monitorEventLoopDelay({ resolution: 1 });
let rssBefore = 0;

function reset(): void {
  forgetPeakMemory();
  rssBefore = process.memoryUsage.rss();
  eventLoopDelay.enable();
  eventLoopDelay.reset();
}

/**
 * Resets the peak of the resident memory, which is possible only on Linux. On other systems, the
 * peak includes the start of the process.
 */
function forgetPeakMemory(): void {
  if (process.platform === "linux") writeFileSync("/proc/self/clear_refs", "5");
}

/**
 * Returns the peak of the resident memory in bytes. On Linux, reads it from `/proc`, because the
 * reset does not affect `maxRSS`.
 */
function peakMemory(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(peak) * 1024;
}

function report(): ProcessReport {
  eventLoopDelay.disable();
  return {
    rssBefore,
    rssPeak: peakMemory(),
    longestStallMs: eventLoopDelay.max / 1e6,
    stallP99Ms: eventLoopDelay.percentile(99) / 1e6,
  };
}

process.on("message", (message) => {
  if (message === "reset") reset();
  if (message === "reset") process.send?.({ reset: true });
  if (message === "report") process.send?.({ report: report() });
});
