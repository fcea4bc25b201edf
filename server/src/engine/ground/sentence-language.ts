/** Whether a sentence is written in the language of the text that it stands in. */

import { isStopWord, languageByFunctionWords } from "../../language/function-words.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";

/** Sentences have more function words of their language; foreign ones share one by chance. */
const minFunctionWords = 0.15;
/** Languages whose words are not parted, or join their function words, are told by their script. */
const toldByScript: ReadonlySet<AnswerLanguage> = new Set(["zh", "ar"]);

export function isInLanguage(sentence: string, language: AnswerLanguage): boolean {
  if (languageByFunctionWords(sentence) !== language) return false;
  if (toldByScript.has(language)) return true;
  const words = wordTokensOf(sentence).filter(({ digit }) => !digit);
  const known = words.filter(({ folded }) => isStopWord(folded, language));
  return known.length >= minFunctionWords * words.length;
}
