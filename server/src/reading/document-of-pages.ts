/** Makes a Document from the pages that were read. This is the last step for every format. */
import type { Document, OutlineEntry, Page } from "./document.ts";
import type { ReadableExtension } from "./reader.ts";

export interface DocumentDetails {
  metadata: Record<string, string>;
  outline: OutlineEntry[];
}

const openXml = "application/vnd.openxmlformats-officedocument";
const mimes: Record<ReadableExtension, string> = {
  pdf: "application/pdf",
  docx: `${openXml}.wordprocessingml.document`,
  xlsx: `${openXml}.spreadsheetml.sheet`,
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  heic: "image/heic",
};

export function documentOf(
  extension: ReadableExtension,
  { metadata, outline }: DocumentDetails,
  pages: Page[],
): Document {
  return { mime: mimes[extension], pages, ...(outline.length > 0 && { outline }), metadata };
}
