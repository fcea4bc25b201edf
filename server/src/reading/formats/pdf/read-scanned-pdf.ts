/**
 * Reads PDFs. Scanned pages are read by OCR, one by one. All other pages keep their text. Bar codes
 * are searched for on scanned pages, and in those parts of other pages that may contain one.
 */
import { type BarcodeFinder, distinct, type FoundBarcode } from "../../codes/find-barcodes.ts";
import { withBarcodes, withoutBarcodes } from "../../codes/with-barcodes.ts";
import type { Page } from "../../document.ts";
import { ocrPage, type PageOcr } from "../../ocr/ocr-page.ts";
import type { OpenDocument } from "../format.ts";
import type { IncomingFile } from "../incoming-file.ts";
import type { BarcodeArea } from "./barcode-areas.ts";
import { dropColorProfiles } from "./color-profiles.ts";
import { type Pdfium, receiveIn } from "./pdfium.ts";
import { openPdfAt, type PdfLimits } from "./read-pdf.ts";

/** @throws ReadingError `empty`, `corrupt`, `encrypted` or `too_complex`. */
export function openScannedPdf(
  pdfium: Pdfium,
  file: IncomingFile,
  limits: PdfLimits,
  { ocr, barcodes }: ScanTools,
): OpenDocument {
  const at = receiveIn(pdfium, file);
  dropColorProfiles(pdfium.memory.bytes.subarray(at, at + file.size));
  const { readPageOrScan, knownPictures, ...pdf } = openPdfAt(pdfium, at, file.size, limits);
  const readPage = async (number: number): Promise<Page> => {
    const { page, scan, textCounts, areas } = readPageOrScan(number);
    if (areas !== undefined) {
      await ocr.announce();
      return withBarcodes(page, await findIn(areas));
    }
    if (scan === undefined) return page;
    const { width, height, rotation } = page;
    const codes = await barcodes.find(scan);
    const fromOcr = await ocrPage(ocr, withoutBarcodes(scan, codes), { number, width, height, rotation });
    return withBarcodes(betterText(page, fromOcr, textCounts), codes);
  };
  const findIn = async (areas: readonly BarcodeArea[]): Promise<FoundBarcode[]> => {
    const found: FoundBarcode[] = [];
    for (const { placed, pictures, origin } of areas) {
      const codes = await barcodes.find(placed, origin);
      if (codes.length === 0) for (const picture of pictures) knownPictures.add(picture);
      found.push(...codes);
    }
    return distinct(found);
  };
  return { ...pdf, readPage };
}

/** Tools for reading a scanned page. */
export interface ScanTools {
  ocr: PageOcr;
  barcodes: BarcodeFinder;
}

function betterText(page: Page, fromOcr: Page, textCounts: boolean): Page {
  // Doubtful text is better than no text. OCR finds no text if, for example, there is no model for
  // the script.
  if (fromOcr.words.length === 0 && page.words.length > 0) return page;
  return textCounts && lettersOf(page) > lettersOf(fromOcr) * minTextPart ? page : fromOcr;
}

/**
 * Minimum number of letters in the page's own text, as a share of the number that OCR finds, for
 * the page's own text to be kept. It is preferred because it has no recognition errors. Chosen by
 * hand, 2026-11.
 */
const minTextPart = 0.8;

const lettersOf = ({ words }: Page): number =>
  words.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
