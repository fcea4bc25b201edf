/**
 * Function words are words such as "the" and "of". They are ignored in questions as stop words, and
 * serve to detect the language of a short text.
 */
import { type AnswerLanguage, languages, wordsOf } from "./question-languages.ts";
import { stopWords } from "./question-stop-words.ts";
import { wordTokensOf } from "./word-tokens.ts";

const stopSets = new Map(languages.map((language) => [language, new Set(wordsOf(stopWords[language]))]));

/** Returns true if a word is a stop word. `folded` is a result of `foldWord`. */
export const isStopWord = (folded: string, language: AnswerLanguage): boolean =>
  stopSets.get(language)?.has(folded) === true;

const scripts: readonly [RegExp, AnswerLanguage][] = [
  [/\p{Script=Arabic}/gu, "ar"],
  [/\p{Script=Cyrillic}/gu, "ru"],
  [/\p{Script=Han}/gu, "zh"],
];

/**
 * Number of votes of a function word with three letters or more. A shorter function word has one
 * vote, because short words occur in many languages.
 */
const longWordVotes = 1.5;

/**
 * Returns the language of a question or sentence, judging by its script and its function words.
 * Returns undefined if they are inconclusive. Such texts are too short for the statistical
 * detection in `detection.ts`.
 */
export function languageByFunctionWords(text: string): AnswerLanguage | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [script, language] of scripts) {
    if ((text.match(script)?.length ?? 0) * (language === "zh" ? 4 : 2) > letters) return language;
  }
  const words = wordTokensOf(text).map((token) => token.folded);
  const raw = text.toLowerCase();
  let best: { language: AnswerLanguage; votes: number } | undefined;
  for (const language of languages) {
    const known = words.filter((word) => isStopWord(word, language));
    const votes =
      known.reduce((sum, word) => sum + (word.length > 2 ? longWordVotes : 1), 0) + accentVotes(raw, language);
    if (votes > (best?.votes ?? 0)) best = { language, votes };
  }
  return best?.language;
}

/** For each language, letters and elisions that occur in only a few of the languages. */
const accents: Partial<Record<AnswerLanguage, RegExp>> = {
  fr: /[èêëçœùûî]|qu'|\bd'|\bl'/,
  de: /[äöüß]/,
  es: /[ñ¿¡áó]/,
  it: /[òàìù]|ch'|\bl'|dell'/,
  pt: /[ãõçâô]/,
  nl: /ij\b|\bhet\b/,
};

const accentVotes = (text: string, language: AnswerLanguage): number => (accents[language]?.test(text) ? 1 : 0);
