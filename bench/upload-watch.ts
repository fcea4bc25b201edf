/**
 * Preloaded into a process that is measured (`--import`): answers its parent's messages with what the process sees of itself.
 * "reset" begins a measurement, "report" ends it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

export interface ProcessReport {
  /** Resident memory at "reset" and the highest since then, in bytes. */
  rssBefore: number;
  rssPeak: number;
  /** The longest time between two turns of the event loop, in milliseconds, nothing subtracted. */
  longestStallMs: number;
  /** 99 % of the turns were no further apart. */
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

/** Linux counts the peak anew after this; elsewhere the peak is that of the process's whole life, its start included. */
function forgetPeakMemory(): void {
  if (process.platform === "linux") writeFileSync("/proc/self/clear_refs", "5");
}

/** The field of /proc that `forgetPeakMemory` clears, in kB; `maxRSS` is not cleared. */
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
