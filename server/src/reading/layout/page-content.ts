/** Types of the input and output of page layout. */
import type { Box, Page, Word } from "../document.ts";

/**
 * A word with the properties that the layout needs: font size, direction and position of the
 * baseline.
 */
export interface DrawnWord extends Word {
  size: number;
  /** Direction of the text as a unit vector. */
  direction: readonly [x: number, y: number];
  /**
   * A point on the baseline of the word. For a superscript, a point on the baseline of the word
   * before it.
   */
  origin: readonly [x: number, y: number];
}

/**
 * A horizontal or vertical line. `at` is the y coordinate of a horizontal line, or the x coordinate
 * of a vertical line. `from` and `to` are the coordinates of its two ends.
 */
export interface Ruling {
  at: number;
  from: number;
  to: number;
}

export interface Drawings {
  horizontal: Ruling[];
  vertical: Ruling[];
  /** Filled areas that are not lines, such as shaded cells and rows. */
  shades: Box[];
}

export type PageLayout = Pick<Page, "words" | "lines" | "blocks" | "tables">;

export interface PageContent {
  width: number;
  height: number;
  /** The words, in any order. */
  words: readonly DrawnWord[];
  drawings: Drawings;
}
