/**
 * Rates the documents of the retrieved passages by how many words of the question they contain, and
 * selects those from which facts are read.
 */

import { foldWord } from "../../language/folding.ts";
import { knownLanguage } from "../../language/question-languages.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { PassageText, Question } from "../answering.ts";
import { analyse, askedText } from "./analyze-question.ts";
import { matchStrengths, termFactors } from "./answer-weights.ts";
import { matcherOf } from "./match-terms.ts";
import { heldShare, strongest } from "./term-strengths.ts";

/** Maximum number of documents from which one question reads facts. Chosen by hand, 2026-11. */
const maxDocuments = 3;
/**
 * Minimum weight of the question terms in a document, relative to their weight in the best
 * document. Chosen by hand, 2026-11.
 */
const minShareOfBest = 0.6;

/** A document that contains retrieved passages. All numbers are 0 to 1, except `lead`. */
export interface RatedDocument {
  /** Indices of its passages, best first. */
  passages: number[];
  /**
   * Share of the question terms, by weight, that its passages, title, headings or file name
   * contain.
   */
  share: number;
  /** `share` minus the greatest `share` of the other documents, at least -1. */
  lead: number;
  /** Score of its best passage, divided by the score of the best passage of all documents. */
  retrieval: number;
  /**
   * Share of the numbers and codes of the question that the document contains. 1 if the question
   * has none.
   */
  numbers: number;
  /**
   * Share of the question's numbers and codes that occur in the document as separate words, not
   * inside a longer code. 1 if the question contains no numbers or codes.
   */
  alone: number;
}

/** Rates the documents of the passages. The best document comes first. */
export function rateDocuments(question: Question, passages: readonly PassageText[]): RatedDocument[] {
  const language = knownLanguage(question.language);
  const { terms } = analyse(askedText(question), language);
  const match = matcherOf(terms, language);
  const numbers = [...new Set(terms.filter(({ folded }) => isIdentifier(folded)).map(({ folded }) => folded))];
  const top = Math.max(0, ...passages.map(({ score }) => score));
  const documents = [...Map.groupBy(passages.keys(), (index) => documentKey(itemAt(passages, index))).values()].map(
    (indices) => {
      const texts = indices.map((index) => textOf(itemAt(passages, index)));
      const tokens = texts.flatMap(wordTokensOf);
      const words = new Set(tokens.map(({ folded }) => folded));
      const found = numbers.filter((number) => words.has(number));
      const alone = numbers.filter((number) => texts.some((text) => standsAlone(number, text)));
      return {
        passages: indices,
        held: strongest(match(tokens)),
        numbers: numbers.length === 0 ? 1 : found.length / numbers.length,
        alone: numbers.length === 0 ? 1 : alone.length / numbers.length,
        retrieval: top > 0 ? Math.max(0, ...indices.map((index) => itemAt(passages, index).score)) / top : 1,
      };
    },
  );
  withoutLookalikes(documents, terms.length);
  const weights = terms.map(({ exact }, term) => {
    const count = documents.reduce((sum, { held }) => sum + (held.get(term) ?? 0), 0);
    const idf = Math.log(1 + (documents.length + 1) / (count + termFactors.smoothing));
    return idf * (exact ? termFactors.exact : 1);
  });
  const rated = documents
    .map(({ held, ...document }) => ({ ...document, share: heldShare(held, weights) }))
    .toSorted((a, b) => b.numbers - a.numbers || b.alone - a.alone || b.share - a.share || b.retrieval - a.retrieval);
  return rated.map((document, at) => {
    const other = rated.reduce((most, each, index) => (index === at ? most : Math.max(most, each.share)), 0);
    return { ...document, lead: document.share - other };
  });
}

/**
 * If a document contains a question term itself, words in other documents that share only their
 * beginning with the term no longer count as matches. A question about machine QX-12 is not about
 * QX-14.
 */
function withoutLookalikes(documents: readonly { held: Map<number, number> }[], terms: number): void {
  for (let term = 0; term < terms; term++) {
    if (!documents.some(({ held }) => held.get(term) === 1)) continue;
    for (const { held } of documents) if ((held.get(term) ?? 0) <= matchStrengths.beginning) held.delete(term);
  }
}

/**
 * Selects up to three documents that contain most of the question's words. A document that lacks a
 * number or code of the question is excluded. If the question asks for a field and names the
 * document's owner, documents that contain none of the owner's names are excluded too.
 */
export function documentsToRead(question: Question, passages: readonly PassageText[]): RatedDocument[] {
  const owners = question.field?.owners ?? [];
  const isNamed = ({ passages: own }: RatedDocument): boolean => {
    const words = new Set(
      own.flatMap((index) => wordTokensOf(textOf(itemAt(passages, index))).map((token) => token.folded)),
    );
    return owners.some((owner) => words.has(owner));
  };
  const rated = rateDocuments(question, passages).filter(
    (document) => document.numbers === 1 && (owners.length === 0 || isNamed(document)),
  );
  const [best] = rated;
  if (best === undefined) return [];
  // If the search found nothing, `passages` lists all documents of a small corpus, without their
  // texts. All of these documents are then candidates.
  const isListed = passages.every(({ text }) => text === "");
  return rated
    .filter(({ share, alone }) => alone === best.alone && share >= minShareOfBest * best.share)
    .filter(({ share }) => isListed || share > 0)
    .slice(0, maxDocuments);
}

const textOf = ({ text, title, headings, name }: PassageText): string => [text, title, ...headings, name].join("\n");

export const documentKey = ({ path, name }: PassageText): string => `${path}/${name}`;

const isIdentifier = (word: string): boolean => /\p{Nd}/u.test(word) && (/\p{L}/u.test(word) || word.length >= 5);

/**
 * Returns true if the number occurs as a separate word, not inside a longer code. Invoice 4711 is
 * neither TX-4711 nor 4711/2.
 */
function standsAlone(number: string, text: string): boolean {
  const folded = foldWord(text);
  for (let at = folded.indexOf(number); at >= 0; at = folded.indexOf(number, at + 1))
    if (!partOfNumber.test(folded[at - 1] ?? "") && !partOfNumber.test(folded[at + number.length] ?? "")) return true;
  return false;
}

const partOfNumber = /[\p{L}\p{Nd}/_-]/u;
