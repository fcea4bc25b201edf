/** Setting of an organization or an extractor: how long extractions are kept for review. */
import { limits } from "./limits.ts";
import Type from "./type.ts";

/** Schema of `keep_extractions_days`. */
export const keepExtractionsDays = (unset: string) =>
  Type.Union([Type.Integer({ minimum: 0, maximum: limits.maxKeepExtractionsDays }), Type.Null()], {
    description: `Number of days for which extractions and their files are kept for review; 0 keeps none. ${unset}`,
    examples: [30],
  });

/** Returns whether a value is a number of days that the setting accepts. */
export const isKeepExtractionsDays = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= limits.maxKeepExtractionsDays;
