/** Matches question terms to the words of a passage. */

import { foldWord } from "../../language/folding.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import { stemOfWord, withoutPrefix } from "../../language/stemming.ts";
import type { WordToken } from "../../language/word-tokens.ts";
import { families } from "../lexicon/word-families.ts";
import type { QuestionTerm } from "./analyze-question.ts";
import { beginningShares, matchStrengths } from "./answer-weights.ts";

export interface FoundTerms {
  /** Index of the question term. */
  term: number;
  /** Index of the token. */
  token: number;
  /**
   * 1 for a word with the same stem as the term. Less for a related word, a compound that contains
   * the term, or a word that begins with the same letters.
   */
  strength: number;
}

/**
 * Minimum number of letters of a word that may be a part of a compound. Chosen by hand, 2026-11.
 */
const minCompoundPart = 5;

/**
 * Maps a word to its families in business documents. A family spans languages: `invoice`,
 * `Rechnung`, `facture`.
 */
const familiesOf = new Map<string, string[]>();
for (const [family, words] of Object.entries(families)) {
  for (const word of words.split(" ")) {
    if (word.includes("_") || word.length < 3) continue;
    const known = familiesOf.get(word);
    if (known === undefined) familiesOf.set(word, [family]);
    else known.push(family);
  }
}

export type Matcher = (tokens: readonly WordToken[]) => FoundTerms[];

export function matcherOf(terms: readonly QuestionTerm[], language: AnswerLanguage): Matcher {
  const related = terms.map((term) => new Set(familiesOf.get(term.folded) ?? []));
  const known = new Map<string, { term: number; strength: number } | null>();
  return (tokens) => {
    const found: FoundTerms[] = [];
    for (const [index, token] of tokens.entries()) {
      let match = known.get(token.folded);
      if (match === undefined) {
        match = bestMatch(token, terms, related, language);
        known.set(token.folded, match);
      }
      if (match !== null) found.push({ term: match.term, token: index, strength: match.strength });
    }
    return found;
  };
}

function bestMatch(
  token: WordToken,
  terms: readonly QuestionTerm[],
  related: readonly ReadonlySet<string>[],
  language: AnswerLanguage,
): { term: number; strength: number } | null {
  let best: { term: number; strength: number } | null = null;
  const ownFamilies = familiesOf.get(token.folded);
  const bare = language === "ar" ? foldWord(withoutPrefix(token.word, language)) : token.folded;
  for (const [index, term] of terms.entries()) {
    let strength = strengthOf(token, bare, term, language);
    if (strength < matchStrengths.family && ownFamilies?.some((family) => related[index]?.has(family)))
      strength = matchStrengths.family;
    if (strength > (best?.strength ?? 0)) best = { term: index, strength };
  }
  return best;
}

function strengthOf(token: WordToken, bare: string, term: QuestionTerm, language: AnswerLanguage): number {
  if (token.folded === term.folded) return 1;
  if (token.digit || /^\p{Nd}/u.test(term.folded)) return 0;
  const shared = sharedStart(bare, term.stem);
  if (shared >= 2 && stemOfWord(token.word, language) === term.stem) return 1;
  const longer = Math.max(bare.length, term.folded.length);
  const shorter = Math.min(bare.length, term.folded.length);
  if (shorter >= minCompoundPart && (bare.includes(term.stem) || term.folded.includes(bare)))
    return matchStrengths.compound;
  const isBeginning =
    shared >= 4 && shared >= beginningShares.lessOne * longer - 1 && shared >= beginningShares.whole * longer;
  return isBeginning ? matchStrengths.beginning : 0;
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
