/** Opens the document reader. The rest of the service uses this folder through this module. */
import { formatLimits } from "./pool/budgets.ts";
import { ProcessPool } from "./pool/process-pool.ts";
import type { ProcessReader, ReadingSettings } from "./reader.ts";

/**
 * Idle time after which the reading processes are stopped, in milliseconds. Each one holds 108 MiB
 * of memory, and starting one takes 0.25 s. The time is longer than the pauses of a user who works
 * on one file after another.
 */
const usualRestMs = 120_000;

export const defaultReadingSettings: ReadingSettings = {
  processes: 2,
  restMs: usualRestMs,
  maxMemoryBytes: 768 * 2 ** 20,
  maxPages: 5000,
  deadlineMs: { base: 20_000, perPage: 50, perOcrPage: 30_000 },
  formatLimits,
  ocr: { languages: ["eng", "deu", "fra"] },
};

export const openReader = (settings: ReadingSettings): ProcessReader => new ProcessPool(settings);
