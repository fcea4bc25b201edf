/**
 * Finds a quote on a page, word for word. Only typographic differences are ignored: the shapes of
 * quotation marks and dashes, ligatures, white space, and punctuation at both ends of the quote.
 */
import { distinctBoxes } from "../../lib/distinct-boxes.ts";
import type { Box, Page } from "../../reading/document.ts";

/** A token of a page: a word or, if the word contains spaces, a part of it between spaces. */
interface PageToken {
  text: string;
  /** Index in `page.words`. */
  word: number;
}

/** Words that were found on a page. */
export interface FoundWords {
  /** The whole words, joined by single spaces. */
  quote: string;
  boxes: Box[];
}

/**
 * Returns the words of a quote; undefined if the page does not contain it. The words must follow
 * each other in reading order or within a table cell, or be exactly the words inside `boxes`.
 */
export function findQuote(page: Page, quote: string, boxes: readonly Box[] = []): FoundWords | undefined {
  const wanted = tokensOf(quote);
  if (wanted.length === 0) return undefined;
  const whole = page.words.map((_, index) => index);
  const cells = page.tables.flatMap(({ cells }) => cells.map(({ words }) => words));
  for (const words of [whole, ...cells]) {
    const tokens = pageTokens(page, words);
    const at = findTokens(tokens, wanted);
    if (at !== undefined) return foundWords(page, tokens.slice(at, at + wanted.length));
  }
  if (boxes.length === 0) return undefined;
  const tokens = pageTokens(page, wordsIn(page, boxes));
  return findTokens(tokens, wanted) === 0 && tokens.length === wanted.length ? foundWords(page, tokens) : undefined;
}

/** Returns the distinct words of a text, normalized for comparison. */
export const wordsOfText = (text: string): string[] => [...new Set(tokensOf(text))];

const pageTokens = (page: Page, words: readonly number[]): PageToken[] =>
  words.flatMap((word) => tokensOf(page.words[word]?.text ?? "").map((text) => ({ text, word })));

const tokensOf = (text: string): string[] =>
  text
    .normalize("NFC")
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[ﬀ-ﬆ]/g, (ligature) => ligature.normalize("NFKC"))
    .split(/\s+/)
    .filter((token) => token !== "");

/**
 * Returns the position at which the quote begins in `tokens`; undefined if it does not occur there.
 */
function findTokens(tokens: readonly PageToken[], wanted: readonly string[]): number | undefined {
  const [first = "", ...rest] = wanted;
  const last = rest.pop();
  if (last === undefined) {
    const found = tokens.findIndex(({ text }) => isWithin(text, first));
    return found < 0 ? undefined : found;
  }
  for (const start of occurrences(tokens, rest)) {
    const [before, after] = [tokens[start - 1], tokens[start + rest.length]];
    if (before && after && endsWith(before.text, first) && startsWith(after.text, last)) return start - 1;
  }
  return undefined;
}

/** Yields every position of a sequence, in linear time (Knuth, Morris, Pratt). */
function* occurrences(tokens: readonly PageToken[], wanted: readonly string[]): Generator<number> {
  const borders = bordersOf(wanted);
  let matched = 0;
  if (wanted.length === 0) for (let at = 0; at <= tokens.length; at++) yield at;
  else
    for (const [at, { text }] of tokens.entries()) {
      while (matched > 0 && text !== wanted[matched]) matched = borders[matched - 1] ?? 0;
      if (text === wanted[matched]) matched++;
      if (matched < wanted.length) continue;
      yield at - wanted.length + 1;
      matched = borders[matched - 1] ?? 0;
    }
}

/**
 * Returns, for each prefix of a sequence, the length of its longest border: the longest proper
 * prefix that is also a suffix.
 */
function bordersOf(wanted: readonly string[]): number[] {
  const borders = [0];
  for (let at = 1; at < wanted.length; at++) {
    let length = borders[at - 1] ?? 0;
    while (length > 0 && wanted[at] !== wanted[length]) length = borders[length - 1] ?? 0;
    borders.push(wanted[at] === wanted[length] ? length + 1 : 0);
  }
  return borders;
}

const endsWith = (word: string, token: string): boolean =>
  word === token || (word.endsWith(token) && isIgnored(word.slice(0, -token.length), token, "before"));

const startsWith = (word: string, token: string): boolean =>
  word === token || (word.startsWith(token) && isIgnored(word.slice(token.length), token, "after"));

function isWithin(word: string, token: string): boolean {
  const at = word.indexOf(token);
  if (at < 0) return false;
  const [before, after] = [word.slice(0, at), word.slice(at + token.length)];
  return isIgnored(before, token, "before") && isIgnored(after, token, "after");
}

const opening = /^["'([{*•¿¡]*$/;
const closing = /^["')\]}*.,;:!?…]*$/;
const quotationOnly = /^["']*$/;
const sentenceEnd = /^["'.,;:!?…]*$/;
const digit = /\p{N}/u;
/** Scripts whose words are not separated by spaces. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Returns whether a quote may leave out `left`, a part of a word such as the comma in `total,`. A
 * bracket beside a digit may not be left out, because in accounts `(100)` means -100.
 */
function isIgnored(left: string, token: string, side: "before" | "after"): boolean {
  if (left === "") return true;
  const edge = (side === "before" ? [...token].at(0) : [...token].at(-1)) ?? "";
  if (digit.test(edge)) {
    if ((side === "before" ? quotationOnly : sentenceEnd).test(left)) return true;
  } else if ((side === "before" ? opening : closing).test(left)) return true;
  const beside = (side === "before" ? [...left].at(-1) : [...left].at(0)) ?? "";
  return unspaced.test(edge) || unspaced.test(beside);
}

/** Returns the indices of the words whose centres are in one of the boxes, in reading order. */
function wordsIn({ words }: Page, boxes: readonly Box[]): number[] {
  return words.flatMap(({ box: [x0, y0, x1, y1] }, index) => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return boxes.some((box) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]) ? [index] : [];
  });
}

function foundWords(page: Page, tokens: readonly PageToken[]): FoundWords {
  const words = [...new Set(tokens.map(({ word }) => word))].flatMap((index) => page.words[index] ?? []);
  return { quote: words.map(({ text }) => text).join(" "), boxes: distinctBoxes(words.map(({ box }) => box)) };
}
