/** The languages whose question words, function words and fixed sentences are known. Others are answered too, as text without them. */

export const languages = ["en", "fr", "de", "es", "it", "nl", "pt", "ru", "ar", "zh"] as const;
export type AnswerLanguage = (typeof languages)[number];

/** One text of words parted by spaces for each language. */
export type WordLists = Readonly<Record<AnswerLanguage, string>>;

/** One text of phrases parted by commas for each language. */
export type PhraseLists = Readonly<Record<AnswerLanguage, string>>;

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export const phrasesOf = (text: string): string[] =>
  text
    .split(",")
    .map((phrase) => phrase.trim())
    .filter(Boolean);

/** A language whose words are known, English for any other. */
export const knownLanguage = (language: string): AnswerLanguage =>
  languages.find((known) => known === language) ?? "en";
