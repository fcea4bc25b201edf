/** Interface of the formats. */
import type { OutlineEntry, Page } from "../document.ts";

/** An open document; pages are read one at a time, in any order. */
export interface OpenDocument {
  readonly pages: number;
  readonly metadata: Record<string, string>;
  readonly outline: OutlineEntry[];
  /** Reads page `number`, from 1. */
  readPage(number: number): Page | Promise<Page>;
  close?(): void;
}
