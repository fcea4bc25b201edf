/** Extraction params: what to extract, as sent with a request or kept in the configuration of an extractor agent. */

export const paramFormats = ["text", "number", "boolean", "date", "list"] as const;
export type ParamFormat = (typeof paramFormats)[number];

/** One field to extract. `items` (the sub-fields of each element) goes with format `list` and with no other. */
export interface ExtractionParam {
  name: string;
  format: ParamFormat;
  description: string;
  items?: ExtractionParam[];
}
