/** Params of list fields for tests. */
import type { ExtractionParam } from "@sheaf/contract/params.ts";

export const field = (name: string, format: ExtractionParam["format"]): ExtractionParam => ({
  name,
  format,
  description: "",
});
export const listOf = (...items: ExtractionParam[]): ExtractionParam => ({
  name: "list",
  format: "list",
  description: "",
  items,
});
/** The usual columns of invoice lines. */
export const lines = listOf(
  field("description", "text"),
  field("quantity", "number"),
  field("unit price", "number"),
  field("total", "number"),
);
