/** A word after the page was rotated so that its text runs horizontally. */
import type { Word } from "../document.ts";

export interface PlacedWord extends Word {
  size: number;
  /** Distance of the baseline from the top. The skew of the page is removed. */
  baseline: number;
}
