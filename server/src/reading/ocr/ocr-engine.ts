/** The interface of character recognition. */
import type { Box } from "../document.ts";
import type { GrayImage } from "../pixels/gray-image.ts";

/** How the text of a picture is expected to stand: columns and pictures as on a page, or one column as on a receipt. */
export type Segmentation = "page" | "column";

export interface OcrWord {
  text: string;
  /** The ink of the word, in pixels. */
  box: Box;
  /** 0 to 1. */
  confidence: number;
  /** Words with the same number stand on one line. */
  line: number;
}

export interface OcrEngine {
  /** The words of the picture, in the order in which the engine reads them. The same picture always gives the same words. */
  recognize(image: GrayImage, segmentation: Segmentation): Promise<OcrWord[]>;
}

/** Languages by their codes of ISO 639-2, as Tesseract names them. */
export type Languages = readonly string[];

export const pageSegmentationModes: Record<Segmentation, number> = { page: 3, column: 6 };

/**
 * Lines of which Tesseract makes little are read once more as white on black. That is wasted on faint print, which makes most such lines:
 * white on black comes out far below one half.
 */
export const engineVariables: Readonly<Record<string, string>> = { invert_threshold: "0.5" };
