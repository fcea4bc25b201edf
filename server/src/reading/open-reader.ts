/** Opens the reader of documents: the one way into this folder for the rest of the service. */
import { formatLimits } from "./pool/budgets.ts";
import { ProcessPool } from "./pool/process-pool.ts";
import type { ProcessReader, ReadingSettings } from "./reader.ts";

/**
 * Processes that have read nothing for so long are ended, in milliseconds: each holds 108 MiB, and starting one takes a quarter of a second.
 * Longer than the pauses of somebody who works with single files.
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
