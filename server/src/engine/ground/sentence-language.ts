/** Checks whether a sentence is in the language of its document. */

import { isStopWord, languageByFunctionWords } from "../../language/function-words.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";

/**
 * Minimum share of a sentence's words that must be function words of the language. A sentence in
 * another language also contains a few of them by chance. Chosen by hand, 2026-11.
 */
const minFunctionWords = 0.15;
/**
 * Languages that are recognized by their script, because their function words are not separate
 * words.
 */
const toldByScript: ReadonlySet<AnswerLanguage> = new Set(["zh", "ar"]);

export function isInLanguage(sentence: string, language: AnswerLanguage): boolean {
  if (languageByFunctionWords(sentence) !== language) return false;
  if (toldByScript.has(language)) return true;
  const words = wordTokensOf(sentence).filter(({ digit }) => !digit);
  const known = words.filter(({ folded }) => isStopWord(folded, language));
  return known.length >= minFunctionWords * words.length;
}
