/** Input and output of the layout of a page. */
import type { Box, Page, Word } from "../document.ts";

/** A word and how it was drawn, as the layout needs it. */
export interface DrawnWord extends Word {
  size: number;
  /** Unit vector of the text direction. */
  direction: readonly [x: number, y: number];
  /** A point on the baseline of the word. A superscript has a point of the word that it follows. */
  origin: readonly [x: number, y: number];
}

/** A horizontal or vertical line: `at` is its position across, `from` and `to` along. */
export interface Ruling {
  at: number;
  from: number;
  to: number;
}

export interface Drawings {
  horizontal: Ruling[];
  vertical: Ruling[];
  /** Filled areas that are not lines: shaded cells and rows. */
  shades: Box[];
}

export type PageLayout = Pick<Page, "words" | "lines" | "blocks" | "tables">;

export interface PageContent {
  width: number;
  height: number;
  /** Items in any order. */
  words: readonly DrawnWord[];
  drawings: Drawings;
}
