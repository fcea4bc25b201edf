/** Which of the documents found a question's field is extracted from: those that hold its names, numbers and codes. */

import { foldWord } from "../../language/folding.ts";
import { knownLanguage } from "../../language/question-languages.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import type { PassageText, Question } from "../engine.ts";
import { analyse } from "./analyze-question.ts";

/** More documents than these are no answer to one question. */
const maxDocuments = 3;

/**
 * The documents that hold most of the question's names, numbers and codes, best first, as the index of a passage of each. One without the
 * number that was asked for, or without any name of its owners, is another one.
 */
export function documentsToRead(question: Question, passages: readonly PassageText[]): number[] {
  if (question.field === undefined) return [];
  const { terms } = analyse(`${question.query} ${question.context}`, knownLanguage(question.language));
  // The words of the field itself are those of one language, and documents of others have it, too.
  const ownWords = new Set(wordTokensOf(question.field.param.name).map((token) => token.folded));
  const { owners } = question.field;
  const exact = terms
    .filter((term) => (term.exact || owners.includes(term.folded)) && !ownWords.has(term.folded))
    .map(({ folded }) => folded);
  const numbers = exact.filter(isIdentifier);
  const documents = Map.groupBy(passages.keys(), (index) => {
    const { path, name } = passages[index] as PassageText;
    return `${path}/${name}`;
  });
  const possible = [...documents.values()].flatMap((indices) => {
    const texts = indices.map((index) => {
      const { text, title, name } = passages[index] as PassageText;
      return `${text}\n${title}\n${name}`;
    });
    const words = new Set(texts.flatMap((text) => wordTokensOf(text).map((token) => token.folded)));
    const has = (word: string): boolean => words.has(word);
    if (!numbers.every(has) || (owners.length > 0 && !owners.some(has))) return [];
    return {
      passage: indices[0] as number,
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

/** Invoice 4711 is not TX-4711, nor 4711/2, where one of its own number is there. */
function standsAlone(number: string, text: string): boolean {
  const folded = foldWord(text);
  for (let at = folded.indexOf(number); at >= 0; at = folded.indexOf(number, at + 1))
    if (!partOfNumber.test(folded[at - 1] ?? "") && !partOfNumber.test(folded[at + number.length] ?? "")) return true;
  return false;
}

const partOfNumber = /[\p{L}\p{Nd}/_-]/u;
