import { defaultReadingSettings } from "../open-reader.ts";
import type { ReadingSettings } from "../reader.ts";

/**
 * The default settings, with time limits that no sound file reaches on a busy machine: reading
 * processes have a low priority. For tests that are not about the limits.
 */
export const patientSettings: ReadingSettings = {
  ...defaultReadingSettings,
  deadlineMs: { base: 150_000, perPage: 0, perOcrPage: 0 },
  formatLimits: {},
};
