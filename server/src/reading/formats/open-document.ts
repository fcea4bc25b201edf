/** Opens a file with the reader of its format. */
import type { BarcodeFinder } from "../codes/find-barcodes.ts";
import type { PageOcr } from "../ocr/ocr-page.ts";
import type { ReadableExtension } from "../reader.ts";
import { openDocx } from "./docx/read-docx.ts";
import type { OpenDocument } from "./format.ts";
import { openImage } from "./image/read-image.ts";
import { type IncomingFile, wholeOf } from "./incoming-file.ts";
import type { Pdfium } from "./pdf/pdfium.ts";
import { openScannedPdf } from "./pdf/read-scanned-pdf.ts";
import { defaultXlsxLimits, openXlsx } from "./xlsx/read-xlsx.ts";

export interface ReadingTools {
  pdfium: Pdfium;
  ocr: PageOcr;
  barcodes: BarcodeFinder;
  maxPages: number;
}

type Opener = (file: IncomingFile, tools: ReadingTools) => Promise<OpenDocument>;

const openImageAs =
  (extension: "jpg" | "jpeg" | "png" | "heic"): Opener =>
  async (file, tools) =>
    openImage(wholeOf(file), extension, tools);

const openers: Record<ReadableExtension, Opener> = {
  pdf: async (file, tools) => openScannedPdf(tools.pdfium, file, { maxPages: tools.maxPages }, tools),
  docx: async (file) => openDocx(wholeOf(file)),
  xlsx: async (file, { maxPages }) => openXlsx(wholeOf(file), { ...defaultXlsxLimits, maxPages }),
  jpg: openImageAs("jpg"),
  jpeg: openImageAs("jpeg"),
  png: openImageAs("png"),
  heic: openImageAs("heic"),
};

/** @throws ReadingError */
export function openDocument(
  extension: ReadableExtension,
  file: IncomingFile,
  tools: ReadingTools,
): Promise<OpenDocument> {
  return openers[extension](file, tools);
}
