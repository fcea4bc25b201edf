/**
 * Turns the image of a page into a `Page`: prepares the image, runs OCR, and lays out the words and
 * ruled lines, as for any other page.
 */
import type { Page } from "../document.ts";
import type { PlacedImage } from "../pixels/gray-image.ts";
import { layOutScan } from "./lay-out-scan.ts";
import type { LineRecognizer } from "./line-recognizer.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import { ocrUpright } from "./strategy.ts";

/** Gives access to the OCR engines of one process. Each is loaded when a page first needs it. */
export interface PageOcr {
  engine(): Promise<OcrEngine>;
  /** Returns the second recognizer, or undefined if it is not installed. */
  lines(): Promise<LineRecognizer | undefined>;
  /** Called before the OCR of each page, so that the deadline can be extended: OCR takes long. */
  announce(): Promise<void>;
}

export type PageFrame = Pick<Page, "number" | "width" | "height" | "rotation">;

/**
 * Reads a page.
 * @param placed the image, with the transform from its pixels to page units
 */
export async function ocrPage(ocr: PageOcr, placed: PlacedImage, frame: PageFrame): Promise<Page> {
  await ocr.announce();
  const reading = await ocrUpright(await ocr.engine(), placed, ocr.lines);
  return { ...frame, source: "ocr", ...layOutScan(frame, reading) };
}
