/** Interface of an OCR engine. */
import type { Box } from "../document.ts";
import type { GrayImage } from "../pixels/gray-image.ts";

/**
 * The arrangement of text that the engine should expect: "page" means columns and pictures as on a
 * page, "column" means one column of text as on a receipt.
 */
export type Segmentation = "page" | "column";

export interface OcrWord {
  text: string;
  /** The box around the ink of the word, in pixels. */
  box: Box;
  /** Probability that the text is correct, from 0 to 1. */
  confidence: number;
  /** Number of the line. Words with the same number are on one line. */
  line: number;
}

export interface OcrEngine {
  /**
   * Returns the words of the image in the order in which the engine reports them. Always returns
   * the same result for the same image.
   */
  readWords(image: GrayImage, segmentation: Segmentation): Promise<OcrWord[]>;
}

/** Languages by their ISO 639-2 codes, as Tesseract names them. */
export type Languages = readonly string[];

export const pageSegmentationModes: Record<Segmentation, number> = { page: 3, column: 6 };

/**
 * If Tesseract's score for a line is below `invert_threshold`, Tesseract reads the line again as
 * white text on black. Most of these lines are only faint print, so the second reading wastes time.
 * The threshold is set so low here that only lines that really are white on black fall below it.
 */
export const engineVariables: Readonly<Record<string, string>> = { invert_threshold: "0.5" };
