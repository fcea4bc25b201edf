/** Source of pages for the page view, independent of how the document is stored. */
import type { UseQueryOptions } from "@tanstack/react-query";
import type { Box } from "./geometry.ts";

/** The words of a page and where they are, as the service returns them. */
export interface PageWords {
  page: number;
  pages: number;
  /** Size of the upright page in page units. Boxes are in the same units. */
  width: number;
  height: number;
  source: "text" | "ocr";
  /** False if the format has no pages to print. The service then has laid out the page itself. */
  has_image: boolean;
  /** In reading order. */
  words: readonly string[];
  boxes: readonly Box[];
  /** `[start, end)` of each line, as indexes of `words`. */
  lines: readonly (readonly [start: number, end: number])[];
}

export type PageWordsQuery = UseQueryOptions<PageWords, Error, PageWords, string[]>;

/** Widths in which the service renders page images, in pixels. */
export type ImageWidth = 900 | 1800;

export interface PageSource {
  /** Identifies the document: no two documents have the same key. */
  id: string;
  /** Number of pages. */
  pages: number;
  /** False for formats without pages to print, whose words are drawn instead of an image. */
  hasImage: boolean;
  wordsOf: (page: number) => PageWordsQuery;
  imageUrl: (page: number, width: ImageWidth) => string;
}
