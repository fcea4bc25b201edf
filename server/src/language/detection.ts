/** Detects the language of a text. */
import { eld } from "eld/extrasmall";
import { stopWordsOf } from "./stop-words.ts";

/**
 * Minimum length of a text whose language is detected, in characters. For shorter texts, the
 * fallback is returned. Chosen by hand, 2026-11.
 */
const minCharacters = 100;

/**
 * Minimum share (0–1) of stop words from which the expected language is assumed without detection.
 * Most passages in the languages of Western Europe reach it. Of passages in another language, at
 * most one in fifty does (Spanish for French). This check takes a twentieth of the time of
 * detection.
 */
const plainlyShare = 0.35;

/**
 * Returns the ISO 639-1 code of the language of a text. Returns `fallback` if detection is
 * unreliable, as for short texts, tables and codes. Reads at most `maxCharacters`, because the time
 * of detection grows with the length. Reading a thousand per passage would take half of the time of
 * indexing.
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

/**
 * Returns the likeliest of `languages` for a short text, or the first of them if none is likelier.
 */
export function likeliestOf(text: string, languages: readonly string[]): string {
  if (languages.length < 2) return languages[0] ?? "";
  const scores = eld.detect(text).getScores();
  return languages.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))[0] ?? "";
}
