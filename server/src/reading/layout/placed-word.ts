/** A word after the page was rotated so that its text runs horizontally. */
import type { Word } from "../document.ts";

export interface PlacedWord extends Word {
  size: number;
  /** Vertical position (y) of the baseline, in deskewed coordinates. */
  baseline: number;
}
