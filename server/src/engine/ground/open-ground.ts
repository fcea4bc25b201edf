/** A Document in which quotes are looked up. */
import type { Document } from "../../reading/document.ts";
import type { Evidence } from "../engine.ts";
import { makeEvidence } from "../page/make-evidence.ts";
import { type Conventions, readConventions } from "./conventions.ts";
import { DocumentIndex, type QuoteMatch } from "./document-index.ts";
import { findPieces } from "./page-break-quotes.ts";

export interface FoundQuote extends Pick<Evidence, "page" | "boxes" | "quote"> {
  /** exact: letter by letter, but for white space; normalized: case, accents, marks, spaces and order of columns aside; fuzzy: misread letters. */
  match: QuoteMatch["match"];
  /** Characters that differ; 0 unless fuzzy. */
  distance: number;
}

export interface Ground {
  readonly index: DocumentIndex;
  readonly conventions: Conventions;
  /** Indices of the pages whose pictures the model was shown. */
  readonly seen: readonly number[];
  /** Index of the page with this number. */
  pageAt(number: number): number | undefined;
  /**
   * Where the quote stands on one page: the best kind of match alone, on page `near` first. At most one character in ten differs,
   * never in a digit or a denial.
   */
  find(quote: string, near?: { page?: number }): FoundQuote[];
  /** A quote that goes on over a page break: the end of one page and the begin of the next; undefined where it doesn't. */
  findAcrossPages(quote: string): [FoundQuote, FoundQuote] | undefined;
}

/**
 * Reads the document once; lookups then take a time that grows with its length, but little. `seen`: numbers of the pages whose pictures the
 * model was shown, since their words were recognized poorly.
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
