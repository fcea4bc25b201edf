/** Analyzes a question: its kind, the answer type, and the terms to look for in passages. */

import { foldWord } from "../../language/folding.ts";
import { isStopWord } from "../../language/function-words.ts";
import { type AnswerLanguage, languages, phrasesOf, wordsOf } from "../../language/question-languages.ts";
import { stemOfWord } from "../../language/stemming.ts";
import { type WordToken, wordTokensOf } from "../../language/word-tokens.ts";
import { type AnswerType, focusNouns } from "../lexicon/questions/focus-nouns.ts";
import { type QuestionKind, questionWords } from "../lexicon/questions/question-words.ts";

export interface QuestionTerm {
  folded: string;
  stem: string;
  /** True for a name, a number or a code. Such a term has no synonyms. */
  exact: boolean;
  /**
   * True for the noun that names the answer type, such as "year" in "which year". A passage that
   * holds the answer need not contain this noun.
   */
  focus: boolean;
}

export interface Analysis {
  kind: QuestionKind | "none";
  type: AnswerType | undefined;
  terms: QuestionTerm[];
  /** All folded words, including function words. */
  words: ReadonlySet<string>;
}

interface Opening {
  phrase: string;
  kind: QuestionKind;
}

const kinds = Object.keys(questionWords) as QuestionKind[];

const openings = new Map<AnswerLanguage, readonly Opening[]>(
  languages.map((language) => [
    language,
    kinds
      .flatMap((kind) => phrasesOf(questionWords[kind][language]).map((phrase) => ({ phrase: foldWord(phrase), kind })))
      .toSorted((a, b) => b.phrase.length - a.phrase.length),
  ]),
);

const typeOfKind: Partial<Record<QuestionKind, AnswerType>> = {
  person: "person",
  time: "time",
  count: "number",
  money: "money",
  place: "place",
};

export function analyse(query: string, language: AnswerLanguage): Analysis {
  const folded = foldWord(query).replace(/\s+/g, " ").trim();
  const opening = openingOf(folded, language);
  const tokens = wordTokensOf(query);
  const type = typeOf(opening, folded, language);
  return {
    kind: opening?.kind ?? "none",
    type: type?.type,
    terms: termsOf(tokens, language, type?.noun, opening),
    words: new Set(tokens.map((token) => token.folded)),
  };
}

interface FoundOpening extends Opening {
  /** Offset in the question at which the question phrase, such as "how many", ends. */
  end: number;
}

/**
 * Returns the first question phrase, such as "how many". A yes-or-no verb, such as "is", counts
 * only at the start of the question.
 */
function openingOf(folded: string, language: AnswerLanguage): FoundOpening | undefined {
  let best: { opening: FoundOpening; index: number } | undefined;
  for (const { phrase, kind } of openings.get(language) ?? []) {
    const index = positionOf(folded, phrase, language);
    if (index < 0 || (kind === "yesno" && index > 0 && language !== "zh")) continue;
    // Yes-or-no phrases rank last, because "Is it known when …" asks for a time. Of two phrases that
    // start at the same position, the longer one wins, because phrases are sorted longest first.
    const rank = kind === "yesno" ? 1_000 + index : index;
    if (best === undefined || rank < best.index)
      best = { opening: { phrase, kind, end: index + phrase.length }, index: rank };
  }
  return best?.opening;
}

function positionOf(text: string, phrase: string, language: AnswerLanguage): number {
  let index = text.indexOf(phrase);
  if (language === "zh") return index;
  while (index >= 0) {
    const before = text[index - 1];
    const after = text[index + phrase.length];
    if (
      !(before !== undefined && /[\p{L}\p{N}]/u.test(before)) &&
      !(after !== undefined && /[\p{L}\p{N}]/u.test(after))
    )
      return index;
    index = text.indexOf(phrase, index + 1);
  }
  return -1;
}

/**
 * Languages in which an adjective may stand between the question word and its noun: "which European
 * city".
 */
const adjectivesFirst = new Set<AnswerLanguage>(["en", "de", "nl", "ru"]);

function typeOf(
  opening: FoundOpening | undefined,
  folded: string,
  language: AnswerLanguage,
): { type: AnswerType | undefined; noun?: string } | undefined {
  if (opening === undefined) return undefined;
  const fixed = typeOfKind[opening.kind];
  if (opening.kind !== "which" && opening.kind !== "count" && opening.kind !== "list") return { type: fixed };
  const noun = language === "zh" ? chineseNoun(folded, opening.end) : nounAfter(folded.slice(opening.end), language);
  if (noun === undefined) return { type: fixed };
  // "How many years" asks for a number, "how many percent" for a share.
  if (opening.kind === "count" && noun.type !== "percent" && noun.type !== "money") return { type: fixed };
  return noun;
}

const stemmedNouns = new Map<AnswerLanguage, Map<string, AnswerType>>();

function nounsOf(language: AnswerLanguage): Map<string, AnswerType> {
  let nouns = stemmedNouns.get(language);
  if (nouns === undefined) {
    const types = Object.keys(focusNouns) as AnswerType[];
    nouns = new Map(
      types.flatMap((type) => wordsOf(focusNouns[type][language]).map((word) => [stemOfWord(word, language), type])),
    );
    stemmedNouns.set(language, nouns);
  }
  return nouns;
}

function nounAfter(text: string, language: AnswerLanguage): { type: AnswerType; noun: string } | undefined {
  const nouns = nounsOf(language);
  const words = wordTokensOf(text).filter((token) => !isStopWord(token.folded, language));
  for (const token of words.slice(0, adjectivesFirst.has(language) ? 2 : 1)) {
    const type = nouns.get(stemOfWord(token.word, language));
    if (type !== undefined) return { type, noun: token.folded };
  }
  return undefined;
}

/**
 * Finds the noun directly after the question word. In Chinese it may also stand before the question
 * word, joined by 是.
 */
function chineseNoun(folded: string, end: number): { type: AnswerType; noun: string } | undefined {
  const near = folded.slice(end, end + 4);
  const before = /(.{1,4})是(?:什么|多少|哪)/u.exec(folded)?.[1] ?? "";
  for (const type of Object.keys(focusNouns) as AnswerType[]) {
    for (const noun of wordsOf(focusNouns[type].zh))
      if (near.startsWith(noun) || before.endsWith(noun)) return { type, noun };
  }
  return undefined;
}

function termsOf(
  tokens: readonly WordToken[],
  language: AnswerLanguage,
  noun: string | undefined,
  opening: FoundOpening | undefined,
): QuestionTerm[] {
  const terms = new Map<string, QuestionTerm>();
  const asking = new Set(opening === undefined ? [] : wordTokensOf(opening.phrase).map((token) => token.folded));
  for (const [index, token] of tokens.entries()) {
    if (isFunctionWord(token, language) || (asking.has(token.folded) && !token.digit && token.folded !== noun))
      continue;
    if (token.folded.length === 1 && !token.digit && !token.capital) continue;
    const stem = token.digit ? token.folded : stemOfWord(token.word, language);
    const exact = token.digit || (token.capital && index > 0 && language !== "de");
    if (!terms.has(stem)) terms.set(stem, { folded: token.folded, stem, exact, focus: token.folded === noun });
  }
  if (terms.size > 0) return [...terms.values()];
  // If the question has only function words ("What is IT?"), they become the terms.
  return tokens.map((token) => ({
    folded: token.folded,
    stem: stemOfWord(token.word, language),
    exact: false,
    focus: false,
  }));
}

/**
 * Returns true for a function word. A pair of Han characters counts as a function word if both
 * characters are function words.
 */
function isFunctionWord({ folded }: WordToken, language: AnswerLanguage): boolean {
  if (isStopWord(folded, language)) return true;
  return (
    language === "zh" && [...folded].length === 2 && [...folded].every((character) => isStopWord(character, language))
  );
}

/** Returns the question, followed by the words that were taken from the conversation. */
export const askedText = ({ query, context }: { query: string; context: string }): string =>
  context === "" ? query : `${query} ${context}`;
