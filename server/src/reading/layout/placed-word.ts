/** A word after rotation: all words of a page run horizontally. */
import type { Word } from "../document.ts";

export interface PlacedWord extends Word {
  size: number;
  /** Distance of its baseline from the top, without the skew of the page. */
  baseline: number;
}
