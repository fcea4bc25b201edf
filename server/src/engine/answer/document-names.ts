/**
 * Finds the document owner that a question names: "the Netpresse invoice", "Rechnung von
 * Netpresse".
 */

import { isStopWord } from "../../language/function-words.ts";
import { type AnswerLanguage, wordsOf } from "../../language/question-languages.ts";
import { type WordToken, wordTokensOf } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import { isFamily, toTerms } from "../lexicon/family-terms.ts";
import { monthsAndTimes } from "../lexicon/questions/value-words.ts";

/** Nouns for the document itself, as in "of the invoice". They do not name a field. */
const documentNouns = new Set(["invoice", "order", "contract", "document", "receipt", "offer", "credit", "policy"]);

export const isDocumentNoun = (word: string): boolean =>
  toTerms(word).some((term) => term.texts.some((text) => documentNouns.has(text)));

/**
 * Languages in which a name may directly follow the noun for the document, without a preposition.
 */
const namesFollow = new Set<AnswerLanguage>(["fr", "es", "it", "pt"]);

/**
 * Returns the capitalized words next to a word such as "invoice": directly before it ("the
 * Netpresse invoice"), or after it with a function word between ("Rechnung von Netpresse"). Label
 * words are excluded.
 */
export function documentNamesIn(query: string, language: AnswerLanguage): WordToken[] {
  const tokens = wordTokensOf(query);
  const isName = tokens.map(
    ({ capital, word, folded }, index) =>
      index > 0 && capital && !isTime(folded, language) && !isStopWord(folded, language) && !isLabelWord(word),
  );
  const namesFrom = (first: number, step: 1 | -1): WordToken[] => {
    const found: WordToken[] = [];
    for (let at = first; isName[at]; at += step) found.push(itemAt(tokens, at));
    return found;
  };
  return tokens.flatMap(({ word }, index) => {
    if (!isDocumentNounAlone(word)) return [];
    let behind = index + 1;
    while (isBetween(tokens[behind], language)) behind++;
    const follows = behind > index + 1 || namesFollow.has(language);
    return [...namesFrom(index - 1, -1), ...(follows ? namesFrom(behind, 1) : [])];
  });
}

/**
 * Returns true for a noun that means the document itself, unlike "Rechnungsdatum", which is a
 * field.
 */
const isDocumentNounAlone = (word: string): boolean => isDocumentNoun(word) && toTerms(word).length === 1;

const isBetween = (token: WordToken | undefined, language: AnswerLanguage): boolean =>
  token !== undefined && (token.digit || isStopWord(token.folded, language));

const isTime = (folded: string, language: AnswerLanguage): boolean =>
  wordsOf(monthsAndTimes[language]).includes(folded);

/**
 * Returns true for a word that is used in labels, such as "IBAN". It is not a name, even if it is
 * capitalized.
 */
export const isLabelWord = (word: string): boolean => toTerms(word).some((term) => term.texts.some(isFamily));
