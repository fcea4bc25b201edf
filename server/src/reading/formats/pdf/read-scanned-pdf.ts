/** Reads PDFs of which some pages are scans: their pictures are recognized, page by page, and all other pages keep their text. */
import type { Page } from "../../document.ts";
import { ocrPage, type PageOcr } from "../../ocr/ocr-page.ts";
import type { OpenDocument } from "../format.ts";
import type { IncomingFile } from "../incoming-file.ts";
import { dropColorProfiles } from "./color-profiles.ts";
import { type Pdfium, receiveIn } from "./pdfium.ts";
import { openPdfAt, type PdfLimits } from "./read-pdf.ts";

/** @throws ReadingError `empty`, `corrupt`, `encrypted` or `too_complex`. */
export function openScannedPdf(pdfium: Pdfium, file: IncomingFile, limits: PdfLimits, ocr: PageOcr): OpenDocument {
  const at = receiveIn(pdfium, file);
  dropColorProfiles(pdfium.memory.bytes.subarray(at, at + file.size));
  const { readPageOrScan, ...pdf } = openPdfAt(pdfium, at, file.size, limits);
  const readPage = async (number: number): Promise<Page> => {
    const { page, scan, textCounts } = readPageOrScan(number);
    if (scan === undefined) return page;
    const { width, height, rotation } = page;
    const fromOcr = await ocrPage(ocr, scan, { number, width, height, rotation });
    // Text that is hard to trust is still more than none, as in a script that no model reads.
    if (fromOcr.words.length === 0 && page.words.length > 0) return page;
    return textCounts && lettersOf(page) > lettersOf(fromOcr) * minTextPart ? page : fromOcr;
  };
  return { ...pdf, readPage };
}

/** Of text and recognition of one page the text is exact, so it is kept where it is most of what is there. */
const minTextPart = 0.8;

const lettersOf = ({ words }: Page): number =>
  words.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
