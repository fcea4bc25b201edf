/** How long reading a document may take, by its format: the time that a caller waits, and processor time. */
import type { ReadableExtension, ReadingSettings } from "../reader.ts";

/** Limits of one reading, in milliseconds. */
export interface ReadingBudget {
  /** Maximum time from the start of the reading. */
  wallMs: number;
  /** Maximum processor time of each process that reads it. */
  cpuMs: number;
}

/**
 * Wall limit of formats that are opened as a whole: a caller waits at most 30 s for a hostile file, of which ending the process takes the rest.
 */
const wallMs = 28_000;

/**
 * Processor time of a picture. Sixteen receipts, HEIC and JPEG, took 2 to 8 s each (2026-11, two cores at a load of 14, which makes
 * processor time dearer, too). Of 72 hostile pictures the slowest took 2.2 s.
 */
const picture = { wallMs, cpuMs: 28_000 };

/** The largest workbook that is accepted, 200,000 rows of 10 cells, took 16.9 s (2026-11, at a load of 14), and 3.7 s of an idle machine. */
const workbook = { wallMs, cpuMs: 25_000 };

/** The slowest of 31 hostile files took 0.3 s (2026-11). A text of 20 MB reaches the memory limit before. */
const text = { wallMs, cpuMs: 20_000 };

/** Formats that are missing here have the deadline by pages alone. */
export const formatLimits: Partial<Record<ReadableExtension, ReadingBudget>> = {
  ...{ docx: text, xlsx: workbook },
  ...{ jpg: picture, jpeg: picture, png: picture, heic: picture },
};

/**
 * How many times longer a reading in the background may take, at the same processor time: a busy machine must not spoil a good document. At
 * a load of 14 on two cores a reading took 2 to 5 times its processor time (2026-11).
 */
const backgroundFactor = 6;

/** Returns what a reading may take. Pages count when they are known, recognized ones when their recognition begins. */
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
