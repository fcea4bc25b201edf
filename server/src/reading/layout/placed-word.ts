/** A word for the layout: all words of a page run level, or were turned to do so. */
import type { Word } from "../document.ts";

export interface PlacedWord extends Word {
  size: number;
  /** Where its baseline is from the top; the lean of the whole page is taken out. */
  baseline: number;
}
