/** Which language a text is in. */
import { eld } from "eld/extrasmall";

/** Less than this is too little to say anything else than what stands around it. */
const minCharacters = 100;

/**
 * The ISO 639-1 code of the language that a text is in; `fallback` where it can't be told, as of short texts, tables and codes. Reads
 * `maxCharacters` at most: its time grows with them, and a thousand for each passage were half of the time of indexing.
 */
export function languageOf(text: string, maxCharacters: number, fallback: string): string {
  if (text.length < minCharacters) return fallback;
  const result = eld.detect(text.slice(0, maxCharacters));
  return result.isReliable() ? result.language : fallback;
}

/** The likeliest of `languages` for a short text; the first of them where nothing speaks for another. */
export function likeliestOf(text: string, languages: readonly string[]): string {
  if (languages.length < 2) return languages[0] ?? "";
  const scores = eld.detect(text).getScores();
  return languages.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))[0] ?? "";
}
