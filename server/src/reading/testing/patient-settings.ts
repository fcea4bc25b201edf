import { defaultReadingSettings } from "../open-reader.ts";
import type { ReadingSettings } from "../reader.ts";

/**
 * The default settings with time limits that no normal file reaches, even on a busy machine:
 * reading processes have a low priority. For tests that do not test the limits.
 */
export const patientSettings: ReadingSettings = {
  ...defaultReadingSettings,
  deadlineMs: { base: 150_000, perPage: 0, perOcrPage: 0 },
  formatLimits: {},
};
