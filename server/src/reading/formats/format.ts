/** The interface that every format implements. */
import type { OutlineEntry, Page } from "../document.ts";

/** An open document. Its pages can be read one at a time, in any order. */
export interface OpenDocument {
  readonly pages: number;
  readonly metadata: Record<string, string>;
  readonly outline: OutlineEntry[];
  /** Reads page `number`, from 1. */
  readPage(number: number): Page | Promise<Page>;
  close?(): void;
}
