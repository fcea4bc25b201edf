/**
 * Turns the image of a page into a `Page`: prepares the image, runs OCR, and lays out the words and
 * ruled lines, as for any other page.
 */
import type { Page } from "../document.ts";
import type { PlacedImage } from "../pixels/gray-image.ts";
import { layOutScan } from "./lay-out-scan.ts";
import { type OcrEngines, ocrUpright } from "./strategy.ts";

export interface PageOcr extends OcrEngines {
  /**
   * Called before the OCR of each page, so that the deadline can be extended, because OCR is slow.
   */
  announce(): Promise<void>;
}

export type PageFrame = Pick<Page, "number" | "width" | "height" | "rotation">;

/**
 * Reads a page with OCR.
 * @param placed the image, with the transform from its pixels to page units
 */
export async function ocrPage(ocr: PageOcr, placed: PlacedImage, frame: PageFrame): Promise<Page> {
  await ocr.announce();
  const reading = await ocrUpright(ocr, placed);
  return { ...frame, source: "ocr", ...layOutScan(frame, reading) };
}
