/**
 * Makes a question self-contained: determines its language, the context from the conversation, and
 * the wishes about the answer.
 */

import { foldWord } from "../../language/folding.ts";
import { isStopWord, languageByFunctionWords } from "../../language/function-words.ts";
import { type AnswerLanguage, phrasesOf } from "../../language/question-languages.ts";
import { type WordToken, wordTokensOf } from "../../language/word-tokens.ts";
import type { AskRequest, Question, Turn } from "../answering.ts";
import { pointers } from "../lexicon/questions/connectives.ts";
import { followUps } from "../lexicon/questions/follow-ups.ts";
import { analyse } from "./analyze-question.ts";
import { asksForDocument } from "./name-documents.ts";
import { fieldOf } from "./question-field.ts";
import { wishesOf } from "./read-wishes.ts";

/** Maximum number of previous questions that are read. Chosen by hand, 2026-11. */
const maxTurnsBack = 4;
/**
 * Maximum number of names taken from the previous answer as referents of "he" or "it" in the
 * question. Chosen by hand, 2026-11.
 */
const maxAnswerNames = 4;
/**
 * A question without a question phrase depends on the previous question if it has at most this many
 * content words. If it begins like "And …", it may have up to twice as many. Chosen by hand,
 * 2026-11.
 */
const fewTerms = 2;
const maxContext = 1_000;

export function understandQuestion(request: AskRequest): Question {
  const query = request.query.trim();
  const said = request.historic.slice(-2 * maxTurnsBack);
  const language = languageByFunctionWords(query) ?? languageByFunctionWords(lastOf(said, "user") ?? "") ?? "en";
  const context = contextOf(query, said, language).slice(0, maxContext);
  const field = fieldOf(isBare(query, language) ? `${query} ${context}` : query, language);
  return {
    query,
    context,
    searchText: context === "" ? query : `${query} ${context}`,
    ...(field === undefined ? {} : { field }),
    asksForDocument: asksForDocument(query, language),
    language,
    wishes: wishesOf(request.instructions, request.consignes, language),
  };
}

/**
 * Returns true for a query without a question phrase, such as "And of invoice 4712?". Such a query
 * only says which document is meant, and the field comes from the context.
 */
const isBare = (query: string, language: AnswerLanguage): boolean => analyse(query, language).kind === "none";

const lastOf = (turns: readonly Turn[], role: Turn["role"]): string | undefined =>
  turns.findLast((turn) => turn.role === role)?.content;

/**
 * Returns the words from the conversation that the query leaves out. Returns "" if the query is
 * complete.
 */
function contextOf(query: string, said: readonly Turn[], language: AnswerLanguage): string {
  const at = said.findLastIndex((turn) => turn.role === "user");
  const previous = said[at]?.content;
  if (previous === undefined) return "";
  const tokens = wordTokensOf(query);
  const ellipsis = isEllipsis(query, tokens, language);
  if (!ellipsis && !pointsBack(tokens, language)) return "";
  // The previous question may depend on the one before it.
  const before = contextOf(previous, said.slice(0, at), language);
  const kept = ellipsis ? withoutReplaced(previous, tokens, language) : namesOf(previous, language);
  const answered = ellipsis ? "" : namesOf(said[at + 1]?.content ?? "", language, maxAnswerNames);
  return [kept, before, answered].filter((part) => part !== "").join(" ");
}

/**
 * Returns true for a query that is incomplete without the previous question, such as "And in 2019?"
 * or "What about Spain?", or that has almost no content words.
 */
function isEllipsis(query: string, tokens: readonly WordToken[], language: AnswerLanguage): boolean {
  const folded = foldWord(query).replace(/^[^\p{L}\p{N}]+/u, "");
  const opens = phrasesOf(followUps[language]).some(
    (phrase) => folded.startsWith(phrase) && (language === "zh" || !/^[\p{L}\p{N}]/u.test(folded.slice(phrase.length))),
  );
  const { kind, terms } = analyse(query, language);
  const content = tokens.filter((token) => !isStopWord(token.folded, language)).length;
  if (opens) return terms.length <= 2 * fewTerms || content <= 2 * fewTerms;
  return content <= (kind === "none" ? fewTerms : 0);
}

/** Returns true if the query has a pronoun but no name to which the pronoun could refer. */
function pointsBack(tokens: readonly WordToken[], language: AnswerLanguage): boolean {
  const named = tokens.some(
    (token, index) => index > 0 && token.capital && !isStopWord(token.folded, language) && language !== "de",
  );
  return !named && tokens.some((token) => isPointer(token, language));
}

/**
 * Returns true for a word that refers back to the conversation, such as "he". Excludes words that
 * are often articles, such as "that".
 */
const isPointer = ({ folded }: WordToken, language: AnswerLanguage): boolean =>
  pointers.has(folded) && !articles.has(folded) && (language === "zh" || isStopWord(folded, language));

const articles = new Set(
  "that there here the el este dit dat de het die lo la das der su sua seu son sa ses leur leurs ее его их so also such deze a 那 其 该".split(
    " ",
  ),
);

/**
 * Returns the previous question without the part that the new question replaces. A new number, such
 * as a year, replaces all numbers. Otherwise, a new name replaces the name that comes last.
 */
function withoutReplaced(previous: string, now: readonly WordToken[], language: AnswerLanguage): string {
  const number = now.some((token) => token.digit);
  const name = now.some((token, index) => token.capital && index > 0 && !isStopWord(token.folded, language));
  const tokens = wordTokensOf(previous);
  const lastName = tokens.findLastIndex(
    (token, index) => token.capital && index > 0 && !isStopWord(token.folded, language),
  );
  const kept = tokens.filter((token, index) => {
    if (number && token.digit) return false;
    return !(name && !number && index === lastName);
  });
  return joined(previous, kept);
}

/** Joins the tokens as written. Overlapping pairs of Chinese characters are not repeated. */
function joined(text: string, tokens: readonly WordToken[]): string {
  let result = "";
  let end = -1;
  for (const token of tokens) {
    if (token.end <= end) continue;
    if (end >= 0 && token.start > end) result += " ";
    result += text.slice(Math.max(token.start, end), token.end);
    end = token.end;
  }
  return result;
}

/**
 * Returns the names and numbers of a text. If it has none, or its script has no letter case,
 * returns all content words.
 */
function namesOf(text: string, language: AnswerLanguage, most = Number.POSITIVE_INFINITY): string {
  const tokens = wordTokensOf(text).filter((token) => !isStopWord(token.folded, language));
  const caseless = language === "zh" || language === "ar";
  const names = tokens.filter((token) => caseless || token.capital || token.digit);
  return joined(text, (names.length > 0 ? names : tokens).slice(0, most));
}
