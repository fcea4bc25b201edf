/**
 * Converts the lines of bar codes to text runs. These runs are not part of any row of their page.
 */
import type { Barcode, Page } from "../../reading/document.ts";
import { injectedWords } from "./prompt-injection.ts";
import { type DocumentRuns, makeRun, type TextRun, wordAt } from "./text-runs.ts";

export interface BarcodeRuns {
  barcode: Barcode;
  /** Text run of each line of the code. Undefined for an empty line. */
  lines: (TextRun | undefined)[];
}

/** Row number of text runs that are not part of any row. */
const noRow = -1;

/** Returns the bar codes of a document that contain text but no prompt injection. */
export function barcodeRunsOf({ pages }: DocumentRuns): BarcodeRuns[] {
  return pages.flatMap(({ page }, index) => {
    const { barcodes = [] } = page;
    const injected = barcodes.length > 0 ? injectedWords(page) : new Set<number>();
    return barcodes
      .filter(({ start, end }) => end > start && !someBetween(start, end, (word) => injected.has(word)))
      .map((barcode) => ({ barcode, lines: linesOf(page, index, barcode) }));
  });
}

function linesOf(page: Page, pageIndex: number, { text, start, end }: Barcode): BarcodeRuns["lines"] {
  let next = start;
  return text.split("\n").map((line, column) => {
    const words: number[] = [];
    for (const text of line.split(/\s+/u))
      if (text !== "" && next < end && wordAt(page, next).text === text) words.push(next++);
    return words.length === 0 ? undefined : makeRun(page, words, { page: pageIndex, row: noRow, column });
  });
}

function someBetween(start: number, end: number, test: (word: number) => boolean): boolean {
  for (let word = start; word < end; word++) if (test(word)) return true;
  return false;
}
