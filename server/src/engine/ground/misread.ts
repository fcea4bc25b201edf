/**
 * Finds the words that correspond to a quote on a page with poor OCR. The model read the quote from
 * the page image. Up to a limit, letters may differ. Each digit of a value must be read as the same
 * digit, or as a letter that looks like it.
 */
import { itemAt } from "../../lib/item-at.ts";
import { wordAt } from "../page/text-runs.ts";
import { foldLetters } from "./atoms.ts";
import type { PageText } from "./document-index.ts";
import { looksLike } from "./edit-distance.ts";

export interface Misread {
  /** Word indices of the value, in reading order. */
  words: number[];
  /** Similarity of the quote to the words found, 0 to 1. */
  similarity: number;
}

interface Char {
  text: string;
  /** Index of the word on the page, or offset in the quote. */
  at: number;
  /** True for the first character of a word. */
  begins: boolean;
}

/**
 * Minimum number of letters and digits of a quote. A shorter quote would match on every page.
 * Chosen by hand, 2026-11.
 */
const minLength = 4;
const maxLength = 160;
const maxPageLength = 12_000;
/** Maximum cost per character of the quote. An edit costs 2. Chosen by hand, 2026-11. */
const mostCost = 0.66;
/** Minimum share of the value's digits that OCR read correctly. Chosen by hand, 2026-11. */
const minDigits = 0.5;

const edit = 2;
const alike = 1;
/**
 * Cost of replacing a digit by a different digit. Deleting one and inserting the other costs less,
 * so two different digits are never aligned.
 */
const otherDigit = 6;

/**
 * Finds the best match of the quote, and returns the words in it that correspond to the value.
 * Returns undefined if nothing matches well enough. `start` and `end` delimit the value in the
 * quote, in UTF-16 units.
 */
export function findMisread(
  { page, read }: PageText,
  quote: string,
  start = 0,
  end = quote.length,
): Misread | undefined {
  const wanted = charsOf(quote.split(/(?<=\s)(?=\S)/u), (_, start) => start);
  if (wanted.length < minLength || wanted.length > maxLength) return undefined;
  const words = read.order.map((index) => wordAt(page, index).text);
  const chars = charsOf(words, (word) => read.order[word] ?? 0).slice(0, maxPageLength);
  const aligned = align(wanted, chars);
  if (aligned === undefined || aligned.cost > mostCost * wanted.length) return undefined;
  const found = wordsOf(wanted, chars, aligned.partners, start, end);
  return found && { words: found, similarity: 1 - aligned.cost / edit / wanted.length };
}

/** Returns the folded letters and digits of the words. */
function charsOf(words: readonly string[], placeOf: (word: number, start: number) => number): Char[] {
  const chars: Char[] = [];
  let start = 0;
  for (const [word, text] of words.entries()) {
    let begins = true;
    let offset = start;
    for (const written of text) {
      for (const char of foldLetters(written).match(/[\p{L}\p{N}]/gu) ?? []) {
        chars.push({ text: char, at: placeOf(word, offset), begins });
        begins = false;
      }
      offset += written.length;
    }
    start = offset;
  }
  return chars;
}

interface Alignment {
  cost: number;
  /**
   * For each character of the quote, the index of the page character that is aligned with it, or
   * -1.
   */
  partners: Int32Array;
}

/** Aligns the quote with the most similar sequence of whole words on the page (Sellers, 1980). */
function align(wanted: readonly Char[], chars: readonly Char[]): Alignment | undefined {
  const width = chars.length + 1;
  const costs = new Uint16Array((wanted.length + 1) * width);
  const cell = (row: number, column: number): number => costs[row * width + column] ?? 0;
  for (let column = 1; column < width; column++)
    costs[column] = chars[column]?.begins === false ? (costs[column - 1] ?? 0) + edit : 0;
  for (let row = 1; row <= wanted.length; row++) {
    costs[row * width] = row * edit;
    const char = itemAt(wanted, row - 1).text;
    for (let column = 1; column < width; column++) {
      const both = cell(row - 1, column - 1) + costOf(char, itemAt(chars, column - 1).text);
      costs[row * width + column] = Math.min(both, cell(row - 1, column) + edit, cell(row, column - 1) + edit);
    }
  }
  let best: { column: number; cost: number } | undefined;
  for (let column = 1; column < width; column++) {
    const cost = cell(wanted.length, column);
    if (chars[column]?.begins !== false && cost < (best?.cost ?? Infinity)) best = { column, cost };
  }
  if (best === undefined) return undefined;
  const partners = new Int32Array(wanted.length).fill(-1);
  let [row, column] = [wanted.length, best.column];
  while (row > 0) {
    const cost = cell(row, column);
    const [from, to] = [wanted[row - 1], chars[column - 1]];
    if (from && to && cost === cell(row - 1, column - 1) + costOf(from.text, to.text)) {
      partners[--row] = --column;
    } else if (cost === cell(row - 1, column) + edit) row--;
    else column--;
  }
  return { cost: best.cost, partners };
}

function costOf(a: string, b: string): number {
  if (a === b) return 0;
  if (isDigit(a) && isDigit(b)) return otherDigit;
  return looksLike(a, b) ? alike : edit;
}

const isDigit = (char: string | undefined): boolean => char !== undefined && /^\p{Nd}$/u.test(char);

/** Returns true if OCR may have read the quoted character as the page character. */
const stands = (quoted: string, read: string | undefined): boolean =>
  read !== undefined && (quoted === read || looksLike(quoted, read));

function wordsOf(
  wanted: readonly Char[],
  chars: readonly Char[],
  partners: Int32Array,
  start: number,
  end: number,
): number[] | undefined {
  const own = [...wanted.keys()].filter((at) => start <= itemAt(wanted, at).at && itemAt(wanted, at).at < end);
  const places = own.map((at) => partners[at] ?? 0).filter((place) => place >= 0);
  if (places.length === 0) return undefined;
  const partnerOf = (at: number): string | undefined => chars[partners[at] ?? 0]?.text;
  const textOf = (at: number): string => itemAt(wanted, at).text;
  const digits = own.filter((at) => isDigit(textOf(at)));
  if (!digits.every((at) => stands(textOf(at), partnerOf(at)))) return undefined;
  if (digits.filter((at) => textOf(at) === partnerOf(at)).length < minDigits * digits.length) return undefined;
  if (own.filter((at) => stands(textOf(at), partnerOf(at))).length < (1 - mostCost / edit) * own.length)
    return undefined;
  // Reject the match if its words have a digit that the quote does not have.
  let [first, last] = [Math.min(...places), Math.max(...places)];
  while (chars[first]?.begins === false) first--;
  while (chars[last + 1]?.begins === false) last++;
  const taken = new Set(partners);
  for (let place = first; place <= last; place++)
    if (isDigit(chars[place]?.text) && !taken.has(place)) return undefined;
  const lettersOnDigits = own.some((at) => isDigit(partnerOf(at)) && !stands(textOf(at), partnerOf(at)));
  return lettersOnDigits ? undefined : [...new Set(places.map((place) => itemAt(chars, place).at))];
}
