/**
 * Converts a question to fields that extraction can look for. The question without its names
 * becomes the description, and the answer type determines the format.
 */
import type { ExtractionParam, ParamFormat } from "@sheaf/contract/params.ts";
import { askTypes } from "../../language/ask-types.ts";
import { type AnswerLanguage, knownLanguage } from "../../language/question-languages.ts";
import { type WordToken, wordTokensOf } from "../../language/word-tokens.ts";
import type { Question } from "../answering.ts";
import { fieldMeaningOf, typesAskedBy } from "../extract/labels/field-meaning.ts";
import type { AnswerType } from "../lexicon/questions/focus-nouns.ts";
import { analyse, askedText, type QuestionTerm } from "./analyze-question.ts";
import { isLabelWord } from "./document-names.ts";

/** Formats that suit the type of answer, the most suitable first. */
const formatsOfType: Readonly<Record<AnswerType, readonly ParamFormat[]>> = {
  time: ["date", "text"],
  number: ["number", "text"],
  money: ["number", "text"],
  percent: ["number", "text"],
  person: ["text"],
  place: ["text"],
  name: ["text"],
};

/**
 * If the question asks for a date (or number) with at least this probability, the format `date` (or
 * `number`) is tried too. Chosen by hand, 2026-11.
 */
const minType = 0.25;
const numbers = new Set(["amount", "quantity", "percent", "number"]);
const dates = new Set(["date"]);

/**
 * Returns the fields to look for. The first is the field that the lexicon recognizes in the
 * question, if any. It is followed by one field without a name per format, the most suitable format
 * first.
 */
export function fieldsAskedFor(question: Question): ExtractionParam[] {
  const language = knownLanguage(question.language);
  const { field } = question;
  const { type } = analyse(askedText(question), language);
  const description = descriptionOf(question);
  const { types } = typesAskedBy(fieldMeaningOf("", description));
  const chanceOf = (of: ReadonlySet<string>): number =>
    askTypes.reduce((sum, name, at) => sum + (of.has(name) ? (types[at] ?? 0) : 0), 0);
  const formats = new Set<ParamFormat>(type === undefined ? [] : formatsOfType[type]);
  if (chanceOf(dates) >= minType) formats.add("date");
  if (chanceOf(numbers) >= minType) formats.add("number");
  formats.add("text");
  const asked = [...formats].map((format): ExtractionParam => ({ name: "", format, description }));
  return field === undefined ? asked : [field.param, ...asked];
}

/**
 * Returns the question without numbers, codes and names, because they only say which document is
 * meant.
 */
export function descriptionOf(question: Question): string {
  const language = knownLanguage(question.language);
  const tokens = wordTokensOf(askedText(question));
  return tokens
    .filter((_, index) => !isNameAt(tokens, index, language))
    .map(({ word }) => word)
    .join(" ");
}

/**
 * Returns the weights of the terms. Terms that are not in the description are names, so their
 * weight is 0.
 */
export function weightsWithoutNames(
  weights: readonly number[],
  terms: readonly QuestionTerm[],
  description: string,
): number[] {
  const described = new Set(wordTokensOf(description).map(({ folded }) => folded));
  return weights.map((weight, term) => (described.has(terms[term]?.folded ?? "") ? weight : 0));
}

/**
 * Returns true for a number, a code or a capitalized word. German nouns are capitalized too, so a
 * German word counts only if the word beside it is capitalized as well.
 */
function isNameAt(tokens: readonly WordToken[], index: number, language: AnswerLanguage): boolean {
  const token = tokens[index];
  if (token === undefined || token.digit) return token !== undefined;
  if (!token.capital || index === 0 || isLabelWord(token.word)) return false;
  if (language !== "de") return true;
  const [before, behind] = [tokens[index - 1], tokens[index + 1]];
  return (index > 1 && before?.capital === true && !token.parted) || (behind?.capital === true && !behind.parted);
}
