/** Finds the quotes of a classification. Each must be on the pages of its segment. */
import type { Document } from "../../reading/document.ts";
import { DocumentIndex, type QuoteMatch } from "./document-index.ts";

export interface SegmentQuote {
  quote: string;
  /** Numbers of the first and the last page that are searched. */
  first: number;
  last: number;
}

export interface QuotePlace {
  /** Number of the first page that contains the quote. */
  page: number;
  match: QuoteMatch["match"];
}

/** Minimum number of letters and digits of a quote. Chosen by hand, 2026-11. */
const minLetters = 2;
/** Maximum length of a quote, in characters. Chosen by hand, 2026-11. */
const maxLength = 600;
/**
 * Decimal mark with which both the quote and the page are parsed, so that identically written
 * numbers are equal.
 */
const decimalMark = ".";

/**
 * Returns the position of each quote. A position is undefined if the quote is on none of the pages
 * searched, or only in a prompt injection.
 */
export function findSegmentQuotes(document: Document, quotes: readonly SegmentQuote[]): (QuotePlace | undefined)[] {
  const indices = new Map<number, DocumentIndex>();
  const pages = new Map(document.pages.map((page) => [page.number, page]));
  const indexOf = (number: number): DocumentIndex | undefined => {
    const page = pages.get(number);
    const index = indices.get(number) ?? (page && new DocumentIndex({ ...document, pages: [page] }, decimalMark));
    if (index) indices.set(number, index);
    return index;
  };
  return quotes.map(({ quote, first, last }) => {
    if (quote.length > maxLength || (quote.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < minLetters) return undefined;
    for (let page = first; page <= last; page++) {
      const [place] = indexOf(page)?.locate(quote) ?? [];
      if (place) return { page, match: place.match };
    }
    return undefined;
  });
}
