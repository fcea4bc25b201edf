/**
 * A quote that a model read from the picture of a page → the poorly recognized words of that page that it was read from. Letters may be
 * misread as far as most of them stand; the digits of a value must all stand, each as itself or as a letter that looks like it.
 */
import { wordAt } from "../page/text-runs.ts";
import { foldLetters } from "./atoms.ts";
import type { PageText } from "./document-index.ts";
import { looksLike } from "./edit-distance.ts";

export interface Misread {
  /** Indices of the words of the value, in reading order. */
  words: number[];
  /** 0 to 1: the share of the quote that stands as it was read. */
  likeness: number;
}

interface Char {
  text: string;
  /** Of the word on the page, or the place in the quote. */
  at: number;
  /** True for the first character of a word. */
  begins: boolean;
}

/** Shorter quotes stand somewhere on every page. */
const minLength = 4;
const maxLength = 160;
const maxPageLength = 12_000;
/** In halves of an edit for each character. */
const mostCost = 0.66;
const minDigits = 0.5;

const edit = 2;
const alike = 1;
/** More than to leave one out and put the other in, so that no digit stands for another. */
const otherDigit = 6;

/** The likest run of words, of which those between `start` and `end` of the quote (UTF-16 units) are the value; undefined where none is like enough. */
export function findMisread(
  { page, read }: PageText,
  quote: string,
  start = 0,
  end = quote.length,
): Misread | undefined {
  const wanted = charsOf(quote.split(/(?<=\s)(?=\S)/u), (_, start) => start);
  if (wanted.length < minLength || wanted.length > maxLength) return undefined;
  const words = read.order.map((index) => wordAt(page, index).text);
  const chars = charsOf(words, (word) => read.order[word] as number).slice(0, maxPageLength);
  const aligned = align(wanted, chars);
  if (aligned === undefined || aligned.cost > mostCost * wanted.length) return undefined;
  const found = wordsOf(wanted, chars, aligned.partners, start, end);
  return found && { words: found, likeness: 1 - aligned.cost / edit / wanted.length };
}

/** Letters and digits alone, folded. */
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
  /** For each character of the quote its character on the page, or -1. */
  partners: Int32Array;
}

/** The quote against any run of whole words of the page, by edits (P. H. Sellers, 1980). */
function align(wanted: readonly Char[], chars: readonly Char[]): Alignment | undefined {
  const width = chars.length + 1;
  const costs = new Uint16Array((wanted.length + 1) * width);
  const cell = (row: number, column: number): number => costs[row * width + column] as number;
  for (let column = 1; column < width; column++)
    costs[column] = chars[column]?.begins === false ? (costs[column - 1] as number) + edit : 0;
  for (let row = 1; row <= wanted.length; row++) {
    costs[row * width] = row * edit;
    const char = (wanted[row - 1] as Char).text;
    for (let column = 1; column < width; column++) {
      const both = cell(row - 1, column - 1) + costOf(char, (chars[column - 1] as Char).text);
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

/** True where the character of the page may be a reading of that of the quote. */
const stands = (quoted: string, read: string | undefined): boolean =>
  read !== undefined && (quoted === read || looksLike(quoted, read));

function wordsOf(
  wanted: readonly Char[],
  chars: readonly Char[],
  partners: Int32Array,
  start: number,
  end: number,
): number[] | undefined {
  const own = [...wanted.keys()].filter((at) => start <= (wanted[at] as Char).at && (wanted[at] as Char).at < end);
  const places = own.map((at) => partners[at] as number).filter((place) => place >= 0);
  if (places.length === 0) return undefined;
  const partnerOf = (at: number): string | undefined => chars[partners[at] as number]?.text;
  const textOf = (at: number): string => (wanted[at] as Char).text;
  const digits = own.filter((at) => isDigit(textOf(at)));
  if (!digits.every((at) => stands(textOf(at), partnerOf(at)))) return undefined;
  if (digits.filter((at) => textOf(at) === partnerOf(at)).length < minDigits * digits.length) return undefined;
  if (own.filter((at) => stands(textOf(at), partnerOf(at))).length < (1 - mostCost / edit) * own.length)
    return undefined;
  // Nor may the words of the page have digits that the quote leaves out.
  let [first, last] = [Math.min(...places), Math.max(...places)];
  while (chars[first]?.begins === false) first--;
  while (chars[last + 1]?.begins === false) last++;
  const taken = new Set(partners);
  for (let place = first; place <= last; place++)
    if (isDigit(chars[place]?.text) && !taken.has(place)) return undefined;
  const lettersOnDigits = own.some((at) => isDigit(partnerOf(at)) && !stands(textOf(at), partnerOf(at)));
  return lettersOnDigits ? undefined : [...new Set(places.map((place) => (chars[place] as Char).at))];
}
