/**
 * Checks whether a unit of the source says the same as a sentence written by the model, verbatim or
 * in other words.
 */

import { languageByFunctionWords } from "../../language/function-words.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import type { DateOrder } from "../values/dates.ts";
import { atomsOf } from "./atoms.ts";
import { entails } from "./entailment/entails.ts";
import { isJudged } from "./entailment/grammar.ts";
import type { SourcePassage } from "./source-passage.ts";

/**
 * Maximum number of consecutive units that are joined and compared with a sentence. Chosen by hand,
 * 2026-11.
 */
const mostUnitsTogether = 3;
/** Maximum length of a judged text, in UTF-16 units. Chosen by hand, 2026-11. */
const longestJudged = 2_000;
const listMark = /^\s*(?:[•‣▪●○◦·*–—-]\s|\(?(?:\p{Nd}{1,3}|\p{L})[.)]\s)\s*/u;
const addresses = /https?:|www\.|!?\[[^\]]{0,200}\]\(|<\s{0,9}[\p{L}/!]/iu;

/**
 * Returns true if the unit at index `at` states the sentence. Also returns true if the sentence is
 * identical to that unit joined with the following units.
 */
export function isSupported(sentence: string, source: SourcePassage, at: number): boolean {
  const { units, text } = source;
  const first = units[at];
  if (!first || sentence.length > longestJudged) return false;
  const said = comparable(sentence);
  if (said === "") return false;
  for (let last = at; last < Math.min(units.length, at + mostUnitsTogether); last++)
    if (comparable(text.slice(first.start, units[last]?.end)) === said) return true;
  const unit = text.slice(first.start, first.end).replace(listMark, "");
  if (unit.length > longestJudged) return false;
  const languages = new Set([source.language, languageByFunctionWords(`${sentence} ${unit}`)]);
  return [...languages].some(
    (language) =>
      language !== undefined &&
      isJudged(language) &&
      entails(unit, sentence, language, source.dateOrder ?? usualOrder(language)),
  );
}

/**
 * Returns the usual order of day and month in the language, or undefined for English, because
 * English-speaking countries use different orders.
 */
const usualOrder = (language: AnswerLanguage): DateOrder | undefined => (language === "en" ? undefined : "dmy");

/**
 * Returns the atoms of the text, followed by the signs that change the meaning of the text, such as
 * "<". Leaves out a list marker at the start.
 */
function comparable(text: string): string {
  const plain = text.replace(listMark, "");
  const signs = plain.match(/[<>≤≥±+=≠~*/^?？]/gu) ?? [];
  return `${atomsOf(plain, ".")
    .map((atom) => atom.text)
    .join(" ")}\n${signs.join("")}`.trim();
}

/** Returns true if the sentence has no markup, and all its URLs are in the quoted text. */
export function isPlain(sentence: string, said: string): boolean {
  if (!addresses.test(sentence)) return true;
  if (/\]\(|<\s{0,9}[\p{L}/!]/u.test(sentence)) return false;
  const found = sentence.match(/(?:https?:|www\.)[^\s)\]>"']+/giu) ?? [];
  return found.every((address) => said.includes(address.replace(/[.,;:!?]{1,9}$/, "")));
}
