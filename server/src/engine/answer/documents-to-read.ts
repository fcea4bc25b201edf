/**
 * Selects the documents from which the field of the question is extracted. They must match the
 * names, numbers and codes of the question.
 */

import { foldWord } from "../../language/folding.ts";
import { knownLanguage } from "../../language/question-languages.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { PassageText, Question } from "../answering.ts";
import { analyse } from "./analyze-question.ts";

/** Maximum number of documents from which one question extracts. Chosen by hand, 2026-11. */
const maxDocuments = 3;

/**
 * Selects the documents that contain the greatest number of the question's names, numbers and
 * codes. Returns the index of one passage of each. Excludes documents that lack a number of the
 * question, or that contain none of the owner names.
 */
export function documentsToRead(question: Question, passages: readonly PassageText[]): number[] {
  if (question.field === undefined) return [];
  const { terms } = analyse(`${question.query} ${question.context}`, knownLanguage(question.language));
  // Exclude the words of the field's own name. They are in one language only, and other documents
  // have the field too.
  const ownWords = new Set(wordTokensOf(question.field.param.name).map((token) => token.folded));
  const { owners } = question.field;
  const exact = terms
    .filter((term) => (term.exact || owners.includes(term.folded)) && !ownWords.has(term.folded))
    .map(({ folded }) => folded);
  const numbers = exact.filter(isIdentifier);
  const documents = Map.groupBy(passages.keys(), (index) => {
    const { path, name } = itemAt(passages, index);
    return `${path}/${name}`;
  });
  const possible = [...documents.values()].flatMap((indices) => {
    const texts = indices.map((index) => {
      const { text, title, name } = itemAt(passages, index);
      return `${text}\n${title}\n${name}`;
    });
    const words = new Set(texts.flatMap((text) => wordTokensOf(text).map((token) => token.folded)));
    const has = (word: string): boolean => words.has(word);
    if (!numbers.every(has) || (owners.length > 0 && !owners.some(has))) return [];
    return {
      passage: indices[0] ?? 0,
      count: exact.filter(has).length,
      alone: numbers.filter((number) => texts.some((text) => standsAlone(number, text))).length,
    };
  });
  const named = withMost(possible, ({ count }) => count);
  return withMost(named, ({ alone }) => alone)
    .slice(0, maxDocuments)
    .map(({ passage }) => passage);
}

const isIdentifier = (word: string): boolean => /\p{Nd}/u.test(word) && (/\p{L}/u.test(word) || word.length >= 5);

function withMost<T>(items: readonly T[], by: (item: T) => number): T[] {
  const most = Math.max(0, ...items.map(by));
  return items.filter((item) => by(item) === most);
}

/** Returns true if the number occurs on its own. Invoice 4711 is neither TX-4711 nor 4711/2. */
function standsAlone(number: string, text: string): boolean {
  const folded = foldWord(text);
  for (let at = folded.indexOf(number); at >= 0; at = folded.indexOf(number, at + 1))
    if (!partOfNumber.test(folded[at - 1] ?? "") && !partOfNumber.test(folded[at + number.length] ?? "")) return true;
  return false;
}

const partOfNumber = /[\p{L}\p{Nd}/_-]/u;
