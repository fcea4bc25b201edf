/**
 * Languages with lists of question words, function words and fixed sentences. Other languages work
 * without such lists.
 */

export const languages = ["en", "fr", "de", "es", "it", "nl", "pt", "ru", "ar", "zh"] as const;
export type AnswerLanguage = (typeof languages)[number];

/** One text per language, with words separated by spaces. */
export type WordLists = Readonly<Record<AnswerLanguage, string>>;

/** One text per language, with phrases separated by commas. */
export type PhraseLists = Readonly<Record<AnswerLanguage, string>>;

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export const phrasesOf = (text: string): string[] =>
  text
    .split(",")
    .map((phrase) => phrase.trim())
    .filter(Boolean);

/** Returns `language` if there are word lists for it, otherwise English. */
export const knownLanguage = (language: string): AnswerLanguage =>
  languages.find((known) => known === language) ?? "en";
