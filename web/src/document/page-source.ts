/** Source of a document's pages for the page view, independent of where the document is stored. */
import type { UseQueryOptions } from "@tanstack/react-query";
import type { Box } from "./geometry.ts";

/** The words of a page with their positions, as the service returns them. */
export interface PageWords {
  page: number;
  pages: number;
  /** Size of the upright page in page units. Boxes are in the same units. */
  width: number;
  height: number;
  source: "text" | "ocr";
  /**
   * False for formats without printed pages, such as XLSX. The service then arranges the words on a
   * page itself.
   */
  has_image: boolean;
  /** The words of the page, in reading order. */
  words: readonly string[];
  boxes: readonly Box[];
  /** Range `[start, end)` of each line, as indexes into `words`. */
  lines: readonly (readonly [start: number, end: number])[];
}

export type PageWordsQuery = UseQueryOptions<PageWords, Error, PageWords, string[]>;

/** Widths, in pixels, at which the service renders page images. */
export type ImageWidth = 900 | 1800;

export interface PageSource {
  /** Unique key of the document. */
  id: string;
  /** Number of pages. */
  pages: number;
  /**
   * False for formats without printed pages, such as XLSX. Their words are drawn instead of an
   * image.
   */
  hasImage: boolean;
  wordsOf: (page: number) => PageWordsQuery;
  imageUrl: (page: number, width: ImageWidth) => string;
}
