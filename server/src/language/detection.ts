/** Which language a text is in. */
import { eld } from "eld/extrasmall";
import { stopWordsOf } from "./stop-words.ts";

/** Less than this is too little to say anything else than what stands around it. */
const minCharacters = 100;

/**
 * With so many stop words of the language that is expected it is that: so have most passages in one of Western Europe's, and of those in another language
 * one in fifty at most (Spanish for French). Saying so takes a twentieth of detecting.
 */
const plainlyShare = 0.35;

/**
 * The ISO 639-1 code of the language that a text is in; `fallback` where it can't be told, as of short texts, tables and codes. Reads
 * `maxCharacters` at most: its time grows with them, and a thousand for each passage were half of the time of indexing.
 */
export function languageOfPassage(text: string, maxCharacters: number, fallback: string): string {
  if (text.length < minCharacters) return fallback;
  const beginning = text.slice(0, maxCharacters);
  if (isPlainly(beginning, fallback)) return fallback;
  const result = eld.detect(beginning);
  return result.isReliable() ? result.language : fallback;
}

function isPlainly(text: string, language: string): boolean {
  const stopWords = stopWordsOf(language);
  if (stopWords.size === 0) return false;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => stopWords.has(word)).length >= words.length * plainlyShare && words.length > 0;
}

/** The likeliest of `languages` for a short text; the first of them where nothing speaks for another. */
export function likeliestOf(text: string, languages: readonly string[]): string {
  if (languages.length < 2) return languages[0] ?? "";
  const scores = eld.detect(text).getScores();
  return languages.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))[0] ?? "";
}
