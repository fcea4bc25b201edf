import { defaultReadingSettings } from "../open-reader.ts";
import type { ReadingSettings } from "../reader.ts";

/**
 * The default settings, but with time limits that no normal file reaches, even on a busy machine,
 * where reading processes get little processor time because of their low priority. For tests that
 * do not test the limits themselves.
 */
export const patientSettings: ReadingSettings = {
  ...defaultReadingSettings,
  deadlineMs: { base: 150_000, perPage: 0, perOcrPage: 0 },
  formatLimits: {},
};
