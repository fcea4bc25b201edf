/** What each format provides: a document that is open, whose pages are read one by one. */
import type { OutlineEntry, Page } from "../document.ts";

/** A document that is open; pages are read one at a time, in any order. */
export interface OpenDocument {
  readonly pages: number;
  readonly metadata: Record<string, string>;
  readonly outline: OutlineEntry[];
  /** Page `number` from 1. */
  readPage(number: number): Page | Promise<Page>;
  close?(): void;
}
