/** Interface of OCR engines. */
import type { Box } from "../document.ts";
import type { GrayImage } from "../pixels/gray-image.ts";

/**
 * Expected arrangement of the text: columns and figures as on a page, or one column as on a
 * receipt.
 */
export type Segmentation = "page" | "column";

export interface OcrWord {
  text: string;
  /** The box around the ink of the word, in pixels. */
  box: Box;
  /** 0 to 1. */
  confidence: number;
  /** Words with the same number are on one line. */
  line: number;
}

export interface OcrEngine {
  /**
   * Returns the words of the image in the order of the engine. The result for an image is always
   * the same.
   */
  readWords(image: GrayImage, segmentation: Segmentation): Promise<OcrWord[]>;
}

/** Languages by their ISO 639-2 codes, as Tesseract names them. */
export type Languages = readonly string[];

export const pageSegmentationModes: Record<Segmentation, number> = { page: 3, column: 6 };

/**
 * Tesseract reads lines with a poor score again as white on black. That wastes time on faint print,
 * which is the usual cause. Lines that are really white on black score far below this limit.
 */
export const engineVariables: Readonly<Record<string, string>> = { invert_threshold: "0.5" };
