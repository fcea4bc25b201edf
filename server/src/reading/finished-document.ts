/** The last step of every reading: pages become a Document, and what has no text is refused. */
import type { Document, OutlineEntry, Page } from "./document.ts";
import { type ReadableExtension, ReadingError } from "./reader.ts";

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

/** A photograph may show no text, and has been read for all that. Any other file without text holds nothing that was understood. */
const isPicture = (extension: ReadableExtension): boolean => mimes[extension].startsWith("image/");

/** @throws ReadingError `empty` where no page has a word. */
export function documentOf(
  extension: ReadableExtension,
  { metadata, outline }: DocumentDetails,
  pages: Page[],
): Document {
  if (!isPicture(extension) && pages.every((page) => page.words.length === 0)) {
    throw new ReadingError("empty", "The file has no text.");
  }
  return { mime: mimes[extension], pages, ...(outline.length > 0 && { outline }), metadata };
}
