/** Detects the language of a text. */
import { eld } from "eld/extrasmall";
import { stopWordsOf } from "./stop-words.ts";

/**
 * Minimum length of a text whose language is detected, in characters. For a shorter text, the
 * fallback language is returned. Chosen by hand, 2026-11.
 */
const minCharacters = 100;

/**
 * If at least this share (0–1) of the words are stop words of the expected language, the text
 * counts as being in that language, and detection is skipped. Most passages in Western European
 * languages reach this share. At most one in fifty passages in another language reaches it; the
 * worst case is Spanish mistaken for French. This check takes a twentieth of the time that
 * detection takes.
 */
const plainlyShare = 0.35;

/**
 * Returns the language of a text as an ISO 639-1 code. Returns `fallback` if detection is
 * unreliable, as for short texts, tables and codes. Only the first `maxCharacters` of the text are
 * read, because detection takes longer for longer texts. With 1,000 characters per passage,
 * detection would take half of the indexing time.
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
 * Returns the most likely language of a short text among `languages`. Ties are broken by the order
 * of `languages`.
 */
export function likeliestOf(text: string, languages: readonly string[]): string {
  if (languages.length < 2) return languages[0] ?? "";
  const scores = eld.detect(text).getScores();
  return languages.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))[0] ?? "";
}
