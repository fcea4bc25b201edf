/** What the layout of a page takes and returns. */
import type { Box, Page, Word } from "../document.ts";

/** A word, and how it was drawn: what the layout needs beside the word itself. */
export interface DrawnWord extends Word {
  size: number;
  /** Unit vector along which the text runs. */
  direction: readonly [x: number, y: number];
  /** A point on its baseline; a mark has that of the word it stands at. */
  origin: readonly [x: number, y: number];
}

/** A level or upright line: `at` is where it is across, `from` and `to` along. */
export interface Ruling {
  at: number;
  from: number;
  to: number;
}

export interface Drawings {
  horizontal: Ruling[];
  vertical: Ruling[];
  /** Filled areas that are no lines: shaded cells and rows. */
  shades: Box[];
}

export type PageLayout = Pick<Page, "words" | "lines" | "blocks" | "tables">;

export interface PageContent {
  width: number;
  height: number;
  /** In any order. */
  words: readonly DrawnWord[];
  drawings: Drawings;
}
