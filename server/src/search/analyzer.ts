/**
 * Splits text into terms. Passages and queries are split in the same way. Words are stemmed. A
 * code, number or date also yields one term without separators. So `RE-2017/05` is found as a whole
 * and by its parts, and 1.234,56 equals 1,234.56.
 */
import { foldTerm } from "../language/folding.ts";
import { stemOfTerm } from "../language/stemming.ts";
import { stopWordsOf } from "../language/stop-words.ts";

/** Marks the end of a sentence in analyzed text. It is never a term itself. */
export const sentenceEnd = ".";

/** A term of a query: all forms of a word that passages may contain. */
export type QueryTerm = readonly [string, ...string[]];

/** Maximum length of a term, in UTF-16 units. Longer terms are cut. Chosen by hand, 2026-11. */
const maxTermLength = 64;
/**
 * Maximum number of terms of a query. An ordinary question of 200 words stays below it. A query of
 * 8,000 different Chinese characters had 15,800 terms. They took 0.65 s of processor time on the
 * main thread before the search even started.
 */
const maxQueryTerms = 500;
const letters = "[\\p{L}\\p{M}\\p{N}]+";
const pieces = new RegExp(
  `(?<![\\d.,])\\d{1,3}(?: \\d{3})+(?:[.,]\\d+)?(?!\\d)|${letters}(?:[-/._:@#+,'’&]${letters})*|(?<![.!?؟۔।。！？])[.!?؟۔।。！？]+(?=\\s|$|["'”’»)])|[。！？]`,
  "gu",
);
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{Script=Hangul}]+|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const segmenter = new Intl.Segmenter("th", { granularity: "word" });

/** Returns the terms of a text in order, joined by spaces, with `sentenceEnd` between sentences. */
export function analyzed(text: string, language: string): string {
  const terms: string[] = [];
  for (const piece of piecesOf(text)) {
    if (isWord(piece)) for (const word of wordsOf(piece)) terms.push(stemOfTerm(word, language));
    else if (terms.length > 0 && terms.at(-1) !== sentenceEnd) terms.push(sentenceEnd);
  }
  return terms.join(" ");
}

/**
 * Returns the terms of a question about passages in `languages`. Stop words of `language` are
 * dropped, unless the question has no other words. Each term has several forms: the word as
 * written, and its stem in each of `languages`.
 */
export function queryTermsOf(text: string, languages: readonly string[], language: string): QueryTerm[] {
  const stopWords = stopWordsOf(language);
  const words = piecesOf(text)
    .filter(isWord)
    .flatMap((piece) => wordsOf(withoutStopPhrases(piece, stopWords)));
  const telling = words.filter((word) => !stopWords.has(word));
  const terms = new Map<string, QueryTerm>();
  for (const word of telling.length > 0 ? telling : words) {
    const forms = new Set(
      [language, ...languages].flatMap((each) => spellingsOf(word, each).map((form) => stemOfTerm(form, each))),
    );
    const [first = word, ...others] = forms.add(foldTerm(word));
    terms.set(first, [first, ...others]);
    if (terms.size >= maxQueryTerms) break;
  }
  return [...terms.values()];
}

const isWord = (piece: string): boolean => /[\p{L}\p{M}\p{N}]/u.test(piece);

function piecesOf(text: string): string[] {
  return asciiDigits(text.normalize("NFKC").toLowerCase()).match(pieces) ?? [];
}

/** Converts digits of all scripts to 0–9. */
function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    // In Unicode, the ten digits of a script have consecutive code points, and 0 comes first.
    let value = 0;
    let code = (digit.codePointAt(0) ?? 0) - 1;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code))) {
      value++;
      code--;
    }
    return String(value);
  });
}

function wordsOf(piece: string): string[] {
  const parts = piece.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const words = parts.flatMap((part) => (withoutSpaces.test(part) ? unspacedWordsOf(part) : [part]));
  if (parts.length > 1 && isCode(piece, parts)) words.push(...wholesOf(piece, parts));
  return words.map((word) => word.slice(0, maxTermLength));
}

/**
 * Returns true for a code, a number, a date, an email address, or an abbreviation such as U.S.A.
 */
function isCode(piece: string, parts: readonly string[]): boolean {
  return /[\d@]/.test(piece) || parts.every((part) => part.length === 1);
}

function wholesOf(piece: string, parts: readonly string[]): string[] {
  const amount = /^([\d.,' ]*\d)[.,]00$/.exec(piece);
  if (amount?.[1]) return [amount[1].replace(/\D/g, "")];
  const date = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(piece);
  if (!date) return [parts.join("")];
  const [, first = "", second = "", year = ""] = date.map((part) => part.padStart(2, "0"));
  const dates = [year + second + first, year + first + second].filter(
    (_, index) => Number(index === 0 ? second : first) <= 12,
  );
  return dates.length > 0 ? [...new Set(dates)] : [parts.join("")];
}

/**
 * Splits text of scripts without spaces. Han, kana and Hangul become overlapping pairs of
 * characters, because their word boundaries are ambiguous. Single Han characters and whole
 * sequences of Hangul are terms too. Thai, Lao, Khmer and Burmese are split by dictionary.
 */
function unspacedWordsOf(part: string): string[] {
  return (part.match(runs) ?? []).flatMap((run) => {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(run))
      return [
        ...[...run].filter((character) => /\p{Script=Han}/u.test(character) || run.length === 1),
        ...pairsOf(run),
      ];
    if (/\p{Script=Hangul}/u.test(run)) return [run, ...pairsOf(run)];
    if (!withoutSpaces.test(run)) return [run];
    return [...segmenter.segment(run)].map(({ segment }) => segment);
  });
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/**
 * Replaces stop words that consist of several Han characters with a separator. This must happen
 * before the text is split into pairs of characters.
 */
function withoutStopPhrases(piece: string, stopWords: ReadonlySet<string>): string {
  if (!/\p{Script=Han}/u.test(piece)) return piece;
  return stopPhrasesOf(stopWords).reduce((text, phrase) => text.replaceAll(phrase, "-"), piece);
}

const stopPhrases = new WeakMap<ReadonlySet<string>, readonly string[]>();

/** Returns the stop words that consist of several Han characters, longest first. */
function stopPhrasesOf(stopWords: ReadonlySet<string>): readonly string[] {
  const known = stopPhrases.get(stopWords);
  if (known) return known;
  const phrases = [...stopWords]
    .filter((word) => word.length > 1 && /\p{Script=Han}/u.test(word))
    .toSorted((a, b) => b.length - a.length);
  stopPhrases.set(stopWords, phrases);
  return phrases;
}

/** Returns the spellings of a word. In German, ä, ö and ü may also be typed as ae, oe and ue. */
function spellingsOf(word: string, language: string): string[] {
  if (language !== "de" || !/[äöü]|[aou]e/.test(word)) return [word];
  const umlauts: Record<string, string> = { ae: "ä", oe: "ö", ue: "ü", ä: "ae", ö: "oe", ü: "ue" };
  return [
    word,
    word.replace(/ae|oe|ue/g, (pair) => umlauts[pair] ?? pair),
    word.replace(/[äöü]/g, (letter) => umlauts[letter] ?? letter),
  ];
}
