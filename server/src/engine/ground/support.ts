/** Whether a sentence of a model states what a unit of its source states, letter by letter or reworded. */

import { languageByFunctionWords } from "../../language/function-words.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import type { DateOrder } from "../values/dates.ts";
import { atomsOf } from "./atoms.ts";
import { entails } from "./entailment/entails.ts";
import { isJudged } from "./entailment/grammar.ts";
import type { SourcePassage } from "./source-passage.ts";

/** A sentence may be longer than a unit by so many units that follow it. */
const mostUnitsTogether = 3;
/** Longer texts are not judged. UTF-16 units. */
const longestJudged = 2_000;
const listMark = /^\s*(?:[•‣▪●○◦·*–—-]\s|\(?(?:\p{Nd}{1,3}|\p{L})[.)]\s)\s*/u;
const addresses = /https?:|www\.|!?\[[^\]]{0,200}\]\(|<\s{0,9}[\p{L}/!]/iu;

/** True if the unit at this index of the passage, alone or with those behind it, states the sentence. */
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

/** English alone is written in countries with either order. */
const usualOrder = (language: AnswerLanguage): DateOrder | undefined => (language === "en" ? undefined : "dmy");

/** Atoms, and the signs that make another statement of the same atoms; the mark of a list is no part of it. */
function comparable(text: string): string {
  const plain = text.replace(listMark, "");
  const signs = plain.match(/[<>≤≥±+=≠~*/^?？]/gu) ?? [];
  return `${atomsOf(plain, ".")
    .map((atom) => atom.text)
    .join(" ")}\n${signs.join("")}`.trim();
}

/** True if every address in the text stands in what is quoted, and nothing is to be rendered. */
export function isPlain(sentence: string, said: string): boolean {
  if (!addresses.test(sentence)) return true;
  if (/\]\(|<\s{0,9}[\p{L}/!]/u.test(sentence)) return false;
  const found = sentence.match(/(?:https?:|www\.)[^\s)\]>"']+/giu) ?? [];
  return found.every((address) => said.includes(address.replace(/[.,;:!?]{1,9}$/, "")));
}
