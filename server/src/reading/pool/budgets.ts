/**
 * Computes the time budget for reading a document, which depends on the format. It limits the wall
 * time, because a caller waits, and the processor time.
 */
import type { ReadableExtension, ReadingSettings } from "../reader.ts";

/** Limits of one read, in milliseconds. */
export interface ReadingBudget {
  /** Maximum wall time since the start of the read. */
  wallMs: number;
  /** Maximum processor time of each process that takes part in the read. */
  cpuMs: number;
}

/**
 * Wall time limit of formats that are read in one piece. Even with a hostile file, a caller waits
 * at most 30 s: this limit plus the time that it takes to kill the process.
 */
const wallMs = 28_000;

/**
 * Processor time limit of an image. Sixteen receipts (HEIC and JPEG) took 2 to 8 s each on two
 * cores with a load average of 14, which also increases the processor time. The slowest of 72
 * hostile images took 2.2 s. Measured 2026-11.
 */
const picture = { wallMs, cpuMs: 28_000 };

/**
 * Processor time limit of a workbook. The largest accepted one, with 200,000 rows of 10 cells, took
 * 16.9 s with a load average of 14, and 3.7 s on an idle machine. Measured 2026-11.
 */
const workbook = { wallMs, cpuMs: 25_000 };

/**
 * Processor time limit of the other formats. The slowest of 31 hostile files took 0.3 s. A text
 * file of 20 MB exceeds the memory limit before it reaches this time. Measured 2026-11.
 */
const text = { wallMs, cpuMs: 20_000 };

/**
 * Limits for each format. A format that is missing here, such as PDF, has only the deadline that
 * depends on the number of pages.
 */
export const formatLimits: Partial<Record<ReadableExtension, ReadingBudget>> = {
  ...{ docx: text, xlsx: workbook },
  ...{ jpg: picture, jpeg: picture, png: picture, heic: picture },
};

/**
 * Factor by which background reads have a longer wall time limit, so that a good document does not
 * fail because the machine is busy. Their processor time limit is the same as for other reads. On
 * two cores with a load average of 14, the wall time of a read was 2 to 5 times its processor time.
 * Measured 2026-11.
 */
const backgroundFactor = 6;

/**
 * Returns the budget of one read. It grows with the number of pages as soon as that is known, and
 * with each page whose OCR starts.
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
