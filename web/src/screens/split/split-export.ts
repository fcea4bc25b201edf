/** Exports segments: as CSV for spreadsheets, or as JSON in the format of the API. */
import { csvLine, csvStart } from "../../ui/csv.ts";
import type { Segments } from "./split-model.ts";

const columns = ["file", "first_page", "last_page", "pages", "label", "title", "confidence"] as const;

export const csvOfSegments = (sourceName: string, segments: Segments): string =>
  csvStart +
  csvLine(columns) +
  segments
    .map(({ start, end, label, title, confidence }) =>
      csvLine([sourceName, start, end, end - start + 1, label, title, confidence]),
    )
    .join("");

export const jsonOfSegments = (sourceName: string, segments: Segments): string =>
  `${JSON.stringify({ source_name: sourceName, pages_count: segments.at(-1)?.end ?? 0, segments }, null, 2)}\n`;

/** Returns the name for an exported file: the source's name with another extension. */
export const exportNameOf = (sourceName: string, format: "csv" | "json"): string =>
  `${sourceName.replace(/\.[^.]+$/, "")}-segments.${format}`;
