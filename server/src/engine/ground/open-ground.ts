/** Opens a Document for looking up many quotes. */
import type { Document } from "../../reading/document.ts";
import type { Evidence } from "../engine.ts";
import { makeEvidence } from "../page/make-evidence.ts";
import { type Conventions, readConventions } from "./conventions.ts";
import { DocumentIndex, type QuoteMatch } from "./document-index.ts";
import { findPieces } from "./page-break-quotes.ts";

export interface FoundQuote extends Pick<Evidence, "page" | "boxes" | "quote"> {
  /**
   * Kind of match. exact: the same characters except for white space. normalized: case, accents,
   * punctuation, spaces or the order of columns may differ. fuzzy: some letters are misread.
   */
  match: QuoteMatch["match"];
  /** Number of characters that differ. 0 unless the match is fuzzy. */
  distance: number;
}

export interface Ground {
  readonly index: DocumentIndex;
  readonly conventions: Conventions;
  /** Indices of the pages whose images the model received. */
  readonly seen: readonly number[];
  /** Returns the index of the page with this number. */
  pageAt(number: number): number | undefined;
  /**
   * Finds a quote on a single page. Returns fuzzy matches only if there are no others. Exact
   * matches come first. Equally good matches begin with those on page `near`. Up to one character
   * in ten may differ, but no digit and no negation.
   */
  find(quote: string, near?: { page?: number }): FoundQuote[];
  /** Finds a quote that starts at the end of a page and continues at the start of the next. */
  findAcrossPages(quote: string): [FoundQuote, FoundQuote] | undefined;
}

/**
 * Indexes the document once, so that each lookup is fast. `seen` contains the numbers of pages with
 * poor OCR whose images the model received.
 */
export function openGround(document: Document, seen: readonly number[] = []): Ground {
  const conventions = readConventions(document);
  const index = new DocumentIndex(document, conventions.marks[0]);
  const numbers = new Map(document.pages.map((page, at) => [page.number, at]));
  const shown = (place: QuoteMatch): FoundQuote[] => {
    const page = document.pages[place.page];
    const evidence = page && makeEvidence(page, place.words, null, 1, false);
    if (!evidence) return [];
    const { match, distance } = place;
    return [{ page: evidence.page, boxes: evidence.boxes, quote: evidence.quote, match, distance }];
  };
  return {
    index,
    conventions,
    seen: seen.flatMap((number) => numbers.get(number) ?? []),
    pageAt: (number) => numbers.get(number),
    find: (quote, near) =>
      index.locate(quote, near?.page === undefined ? undefined : numbers.get(near.page)).flatMap(shown),
    findAcrossPages(quote) {
      const [first, second] = findPieces(index, quote)?.flatMap(shown) ?? [];
      return first && second ? [first, second] : undefined;
    },
  };
}
