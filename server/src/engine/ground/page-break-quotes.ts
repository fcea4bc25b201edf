/** Finds quotes that span a page break. */
import { itemAt } from "../../lib/item-at.ts";
import type { DocumentIndex, QuoteMatch } from "./document-index.ts";

/** Minimum number of words in each of the two parts of a quote. Chosen by hand, 2026-11. */
const minWords = 2;
const maxWords = 400;

/**
 * Finds a quote that continues on the next page, and returns its two parts. The first part is the
 * longest beginning of the quote that is in the lower half of a page. The rest must be in the upper
 * half of the next page.
 */
export function findPieces(index: DocumentIndex, quote: string): [QuoteMatch, QuoteMatch] | undefined {
  const words = quote.trim().split(/\s+/u);
  if (words.length < 2 * minWords || words.length > maxWords) return undefined;
  for (let at = 0; at + 1 < index.pages.length; at++) {
    const begin = (length: number) =>
      index.locateOn(words.slice(0, length).join(" "), at).filter((place) => inHalf(index, place, false));
    let [low, high] = [minWords - 1, words.length - minWords];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (begin(middle).length > 0) low = middle;
      else high = middle - 1;
    }
    if (low < minWords) continue;
    const first = begin(low).at(-1);
    const [second] = index.locateOn(words.slice(low).join(" "), at + 1).filter((place) => inHalf(index, place, true));
    if (first && second) return [first, second];
  }
  return undefined;
}

function inHalf(index: DocumentIndex, place: QuoteMatch, upper: boolean): boolean {
  const { page } = itemAt(index.pages, place.page);
  const box = page.words[(upper ? place.words[0] : place.words.at(-1)) ?? 0]?.box;
  return box !== undefined && (upper ? box[1] < page.height / 2 : box[3] > page.height / 2);
}
