/**
 * Splits questions and passages into words with offsets, so that the words of a question can be
 * found in a passage.
 */
import { foldWord } from "./folding.ts";

export interface WordToken {
  /** The word as written. */
  word: string;
  /**
   * The word as `foldWord` returns it. A sequence of Han, Kana or Thai characters is split into
   * overlapping pairs.
   */
  folded: string;
  /**
   * Position of the word in the text, from `start` up to but not including `end`, in UTF-16 units.
   */
  start: number;
  end: number;
  /** True if the word begins with a capital letter. */
  capital: boolean;
  /** True if the word begins with a digit. */
  digit: boolean;
  /**
   * True if the word is the first of the text, or if punctuation, a bracket or a line break
   * precedes it.
   */
  parted: boolean;
}

/** Matches a number with its separators (1.234,56), or a sequence of letters and digits. */
const wordPattern = /\p{Nd}+(?:[.,'’]\p{Nd}+)*|[\p{L}\p{M}\p{N}]+/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{M}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;

/** Returns the words of a text in order. */
export function wordTokensOf(text: string): WordToken[] {
  const tokens: WordToken[] = [];
  let last = 0;
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const parted =
      tokens.length === 0 || /[.,;:!?()[\]«»„“”"。，；：！？、（）《》،؛؟|\n]/u.test(text.slice(last, index));
    last = index + word.length;
    if (unspaced.test(word)) addRuns(tokens, word, index, parted);
    else tokens.push(tokenOf(word, index, parted));
  }
  return tokens;
}

function tokenOf(word: string, start: number, parted: boolean): WordToken {
  const first = word.codePointAt(0) as number;
  const digit = first < 0x80 ? first >= 48 && first <= 57 : /^\p{Nd}/u.test(word);
  const capital = first < 0x80 ? first >= 65 && first <= 90 : /^\p{Lu}/u.test(word);
  return {
    word,
    folded: digit ? plainNumber(foldWord(word)) : foldWord(word),
    start,
    end: start + word.length,
    capital,
    digit,
    parted,
  };
}

/**
 * Removes separators between groups of three digits: `10,000` and `10.000` become `10000`. In other
 * numbers, a comma becomes a dot.
 */
const plainNumber = (number: string): string =>
  /^\d{1,3}(?:[.,'’]\d{3})+(?!\d)/.test(number)
    ? number.replace(/[.,'’](?=\d{3}(?!\d))/g, "")
    : number.replaceAll(",", ".");

function addRuns(tokens: WordToken[], word: string, offset: number, parted: boolean): void {
  for (const { 0: run, index } of word.matchAll(unspacedRuns)) {
    const start = offset + index;
    if (!unspaced.test(run)) tokens.push(tokenOf(run, start, parted && index === 0));
    else addPairs(tokens, run, start, parted && index === 0);
  }
}

function addPairs(tokens: WordToken[], run: string, offset: number, parted: boolean): void {
  const characters = [...run];
  let start = offset;
  for (const [i, character] of characters.slice(0, Math.max(1, characters.length - 1)).entries()) {
    const pair = character + (characters[i + 1] ?? "");
    tokens.push({
      word: pair,
      folded: foldWord(pair),
      start,
      end: start + pair.length,
      capital: false,
      digit: false,
      parted: parted && i === 0,
    });
    start += character.length;
  }
}
