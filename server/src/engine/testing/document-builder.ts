/** Builds test documents from rows of texts in a font of fixed width. */
import type { Document, Page, Word } from "../../reading/document.ts";

export interface PlacedText {
  text: string;
  /** Left edge in points. */
  x: number;
  /** Top edge in points. */
  y: number;
  bold?: true;
  size?: number;
}

const letterWidth = 5;
const letterHeight = 10;
const rowHeight = 16;
const columnWidth = 150;
const margin = 40;

/** Returns a page of texts, each word in its own box. */
export function pageOf(texts: readonly PlacedText[], number = 1): Page {
  const words: Word[] = [];
  const lines: Page["lines"] = [];
  for (const { text, x, y, bold, size = letterHeight } of texts) {
    let left = x;
    const start = words.length;
    for (const word of text.split(/\s+/u).filter(Boolean)) {
      const right = left + (word.length * letterWidth * size) / letterHeight;
      words.push({ text: word, box: [left, y, right, y + size], size, ...(bold ? { bold } : {}) });
      left = right + letterWidth / 2;
    }
    if (words.length > start) lines.push({ box: [x, y, left, y + size], start, end: words.length });
  }
  return { number, width: 595, height: 842, rotation: 0, source: "text", words, lines, blocks: [], tables: [] };
}

/**
 * Returns a document. Each argument is a page of rows, with cells in columns 150 points apart:
 * `documentOf([["Total:", "12.00"]])` is one page with one row.
 */
export function documentOf(...pages: readonly (readonly (readonly string[])[])[]): Document {
  return {
    mime: "application/pdf",
    metadata: {},
    pages: pages.map((rows, at) =>
      pageOf(
        rows.flatMap((cells, row) =>
          cells.map((text, column) => ({ text, x: margin + column * columnWidth, y: margin + row * rowHeight })),
        ),
        at + 1,
      ),
    ),
  };
}
