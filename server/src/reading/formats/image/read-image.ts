/** Reads an image as a document of one page. The page's unit is a pixel of the upright image. */
import type { BarcodeFinder } from "../../codes/find-barcodes.ts";
import { withBarcodes, withoutBarcodes } from "../../codes/with-barcodes.ts";
import type { Page } from "../../document.ts";
import { ocrPage, type PageOcr } from "../../ocr/ocr-page.ts";
import type { OpenDocument } from "../format.ts";
import { decodeImage } from "./decode-image.ts";
import type { ImageExtension } from "./file-kind.ts";

/**
 * Maximum length of an image's shorter side for OCR, in pixels. For larger images, OCR is slower
 * but not more accurate.
 */
const maxSidePixels = 2500;

/** @throws ReadingError `empty`, `corrupt` or `too_complex`. */
export async function openImage(
  bytes: Uint8Array,
  extension: ImageExtension,
  { ocr, barcodes }: { ocr: PageOcr; barcodes: BarcodeFinder },
): Promise<OpenDocument> {
  const { width, height, ...placed } = await decodeImage(bytes, extension, maxSidePixels);
  const readPage = async (number: number): Promise<Page> => {
    const codes = await barcodes.find(placed);
    const page = await ocrPage(ocr, withoutBarcodes(placed, codes), { number, width, height, rotation: 0 });
    return withBarcodes(page, codes);
  };
  return { pages: 1, metadata: {}, outline: [], readPage };
}
