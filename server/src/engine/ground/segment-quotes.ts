/** The quotes of a classification, looked up on the pages of their segments. */
import type { Document } from "../../reading/document.ts";
import { DocumentIndex, type QuoteMatch } from "./document-index.ts";

export interface SegmentQuote {
  quote: string;
  /** Numbers of the first and the last page to look on, both inclusive. */
  first: number;
  last: number;
}

export interface QuotePlace {
  /** Number of the first page that the quote stands on. */
  page: number;
  match: QuoteMatch["match"];
}

/** Fewer letters and digits show nothing; so many characters are no quote. */
const minLetters = 2;
const maxLength = 600;
/** Both sides are read with the same one, so that the same digits and marks are the same number. */
const decimalMark = ".";

/** Undefined for each quote that stands on none of its pages, or only within what speaks to a model. */
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
