/**
 * Time budget for reading a document, by format: wall time while a caller waits, and processor
 * time.
 */
import type { ReadableExtension, ReadingSettings } from "../reader.ts";

/** Limits of one reading, in milliseconds. */
export interface ReadingBudget {
  /** Maximum time from the start of the reading. */
  wallMs: number;
  /** Maximum processor time of each process that reads it. */
  cpuMs: number;
}

/**
 * Wall time limit of formats that are opened as a whole. A caller waits at most 30 s for a hostile
 * file: this limit, and the time to kill the process.
 */
const wallMs = 28_000;

/**
 * Processor time of an image. Sixteen receipts (HEIC and JPEG) took 2 to 8 s each on two cores at a
 * load of 14, where processor time is dearer too. The slowest of 72 hostile images took 2.2 s.
 * Measured 2026-11.
 */
const picture = { wallMs, cpuMs: 28_000 };

/**
 * The largest accepted workbook, 200,000 rows of 10 cells, took 16.9 s at a load of 14 and 3.7 s on
 * an idle machine. Measured 2026-11.
 */
const workbook = { wallMs, cpuMs: 25_000 };

/**
 * The slowest of 31 hostile files took 0.3 s. A text of 20 MB reaches the memory limit first.
 * Measured 2026-11.
 */
const text = { wallMs, cpuMs: 20_000 };

/** Limits by format. A format that is missing here has only the deadline by pages. */
export const formatLimits: Partial<Record<ReadableExtension, ReadingBudget>> = {
  ...{ docx: text, xlsx: workbook },
  ...{ jpg: picture, jpeg: picture, png: picture, heic: picture },
};

/**
 * Factor on the wall time limit of background reads, so that a busy machine does not fail a good
 * document. Their processor time limit is that of other reads. At a load of 14 on two cores a read
 * took 2 to 5 times its processor time. Measured 2026-11.
 */
const backgroundFactor = 6;

/**
 * Returns the budget of one read. Pages count as soon as their number is known, and OCR pages as
 * soon as their OCR starts.
 */
export function budgetOf(
  { deadlineMs, formatLimits }: ReadingSettings,
  extension: ReadableExtension,
  { pages, ocrPages, background }: { pages: number; ocrPages: number; background: boolean },
): ReadingBudget {
  const { base, perPage, perOcrPage } = deadlineMs;
  const byPages = base + perPage * pages + perOcrPage * ocrPages;
  const limit = formatLimits[extension];
  const wallMs = Math.min(byPages, limit?.wallMs ?? byPages);
  return {
    wallMs: background ? wallMs * backgroundFactor : wallMs,
    cpuMs: Math.min(byPages, limit?.cpuMs ?? byPages),
  };
}
