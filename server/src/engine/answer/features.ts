/**
 * Computes the features of a unit (a sentence or line of a passage) for a question, each about 0 to
 * 1.
 */

import { isStopWord } from "../../language/function-words.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import { type Unit, unitsOf } from "../../language/sentences.ts";
import { type WordToken, wordTokensOf } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import { copulas, pointers, reasonWords } from "../lexicon/questions/connectives.ts";
import type { Analysis } from "./analyze-question.ts";
import { holds } from "./answer-types.ts";
import { notAsked } from "./answer-weights.ts";
import { type FoundTerms, type Matcher, matcherOf } from "./match-terms.ts";
import { strongest, termWeights } from "./term-strengths.ts";

/** The properties of a passage that answering needs. */
export interface Readable {
  text: string;
  title: string;
  headings: readonly string[];
  name: string;
  /** Retrieval score, comparable only among the passages of one search. */
  score: number;
}

export interface UnitCandidate {
  passage: number;
  /** Index of the unit in its passage. */
  index: number;
  unit: Unit;
  features: Features;
}

export interface Features {
  /** Share of the question terms that are in the unit. Rare terms count more. */
  own: number;
  /**
   * Shares of the question terms that are not in the unit, but are near it: in the previous unit
   * (`before`), in the next unit (`behind`), elsewhere in the passage (`around`), or in the
   * headings (`above`). A term counts only for the first of these places that contains it.
   */
  before: number;
  behind: number;
  around: number;
  above: number;
  /**
   * Weight of the rarest question term in the unit, divided by the weight of the rarest of all
   * question terms.
   */
  rarest: number;
  /**
   * Share of the question's names, numbers and codes that are in the unit, its passage or its
   * headings. 1 if the question has none.
   */
  exact: number;
  /**
   * Share of the pairs of adjacent question terms whose two terms are also close together in the
   * unit.
   */
  close: number;
  /** Share of the unit's content words that match the question. */
  density: number;
  /**
   * Equal to `before` if the unit starts with a word such as "He" or "This", which refers to the
   * unit before. Otherwise 0.
   */
  continued: number;
  /**
   * Degree to which the unit holds a value of the type that the question asks for. 0.5 if the
   * question does not ask for a type of value.
   */
  type: number;
  /**
   * 1 if the unit gives the reason or definition that the question asks for, 0 if not. 0.5 if the
   * question asks for neither a reason nor a definition.
   */
  manner: number;
  /** Retrieval score of the passage relative to that of the best passage. */
  retrieval: number;
  /** Reciprocal rank of the passage: 1, 1/2, 1/3, … */
  rank: number;
  /** Word count on a logarithmic scale. */
  length: number;
}

export interface ReadPassage {
  units: Unit[];
  /** Tokens of each unit, in the order of `units`. */
  tokens: WordToken[][];
  found: FoundTerms[][];
  whole: ReadonlyMap<number, number>;
  above: ReadonlyMap<number, number>;
}

const closeTokens = 5;

export function candidatesOf(
  analysis: Analysis,
  passages: readonly Readable[],
  language: AnswerLanguage,
): {
  candidates: UnitCandidate[];
  weights: number[];
  read: ReadPassage[];
} {
  const match = matcherOf(analysis.terms, language);
  const read = passages.map((passage) => readPassage(passage, match));
  const weights = weightsOf(analysis, read);
  const top = Math.max(...passages.map((passage) => passage.score), 0);
  const featuresOf = (passage: ReadPassage, index: number, number: number, retrieval: number): Features => {
    const covered = coverage(passage, index, weights, analysis);
    const tokens = itemAt(passage.tokens, index);
    const text = itemAt(passages, number).text;
    const type = typeFeature(passage, index, text, analysis, language);
    const pointsBack = tokens.slice(0, 2).some((token) => pointers.has(token.folded));
    const content = tokens.filter((token) => !isStopWord(token.folded, language)).length;
    return {
      ...covered,
      density: Math.min(1, itemAt(passage.found, index).length / Math.max(1, content)),
      continued: pointsBack ? covered.before : 0,
      type,
      manner: mannerFeature(tokens, itemAt(passage.found, index), analysis),
      retrieval,
      rank: 1 / (number + 1),
      length: Math.log2(1 + tokens.length) / 6,
    };
  };
  const candidates = read.flatMap((passage, number) => {
    const retrieval = top > 0 ? Math.max(0, itemAt(passages, number).score / top) : 1;
    return passage.units.map(
      (unit, index): UnitCandidate => ({
        passage: number,
        index,
        unit,
        features: featuresOf(passage, index, number, retrieval),
      }),
    );
  });
  return { candidates, weights, read };
}

function readPassage(passage: Readable, match: Matcher): ReadPassage {
  const units = unitsOf(passage.text);
  const tokens = units.map((unit) => wordTokensOf(passage.text.slice(unit.start, unit.end)));
  const above = strongest(match(wordTokensOf([passage.title, ...passage.headings, passage.name].join("\n"))));
  const found = tokens.map(match);
  return { units, tokens, found, whole: strongest(found.flat()), above };
}

/**
 * Returns the weight of each question term. Terms that are rare in the units of the passages have a
 * high weight.
 */
function weightsOf({ terms }: Analysis, read: readonly ReadPassage[]): number[] {
  const units = read.reduce((sum, passage) => sum + passage.units.length, 0);
  const counts = terms.map(() => 0);
  for (const passage of read)
    for (const found of passage.found)
      for (const [term, strength] of strongest(found)) counts[term] = (counts[term] ?? 0) + strength;
  return termWeights(terms, counts, units);
}

type Coverage = Pick<Features, "own" | "before" | "behind" | "around" | "above" | "rarest" | "exact" | "close">;

function coverage(passage: ReadPassage, index: number, weights: readonly number[], { terms }: Analysis): Coverage {
  const own = strongest(passage.found[index] ?? []);
  // Ordered from near to far. A term counts only at the nearest place that contains it.
  const places = [
    strongest(passage.found[index - 1] ?? []),
    strongest(passage.found[index + 1] ?? []),
    passage.whole,
    passage.above,
  ];
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const highest = Math.max(...weights);
  const shares = [0, 0, 0, 0];
  let [share, rarest, exact, exacts] = [0, 0, 0, 0];
  for (const [term, weight] of weights.entries()) {
    const here = own.get(term) ?? 0;
    let held = here;
    for (const [place, strengths] of places.entries()) {
      const more = Math.max(0, (strengths.get(term) ?? 0) - held);
      shares[place] = (shares[place] ?? 0) + (weight * more) / total;
      held += more;
    }
    share += (weight * here) / total;
    rarest = Math.max(rarest, (weight * here) / highest);
    if (!terms[term]?.exact) continue;
    exacts++;
    exact += held;
  }
  const [before = 0, behind = 0, around = 0, above = 0] = shares;
  const close = closeness(passage.found[index] ?? [], terms.length);
  return {
    own: share,
    before,
    behind,
    around,
    above,
    rarest,
    exact: exacts === 0 ? 1 : exact / exacts,
    close,
  };
}

/**
 * Returns the share of the pairs of adjacent question terms whose two terms are also within a few
 * words of each other in the unit.
 */
function closeness(found: readonly FoundTerms[], terms: number): number {
  if (terms < 2) return 0;
  const pairs = new Set<number>();
  for (const [i, first] of found.entries()) {
    for (const second of found.slice(i + 1)) {
      if (second.token - first.token > closeTokens) break;
      if (second.term === first.term + 1) pairs.add(first.term);
      else if (first.term === second.term + 1) pairs.add(second.term);
    }
  }
  return pairs.size / (terms - 1);
}

function typeFeature(
  passage: ReadPassage,
  index: number,
  text: string,
  analysis: Analysis,
  language: AnswerLanguage,
): number {
  if (analysis.type === undefined) return notAsked;
  const unit = itemAt(passage.units, index);
  const span = { text: text.slice(unit.start, unit.end), tokens: itemAt(passage.tokens, index) };
  return holds(analysis.type, span, analysis.words, language);
}

function mannerFeature(tokens: readonly WordToken[], found: readonly FoundTerms[], { kind }: Analysis): number {
  if (kind === "reason") return tokens.some((token) => reasonWords.has(token.folded)) ? 1 : 0;
  if (kind !== "definition") return notAsked;
  // True for "X is …": a form of "to be" directly after the term that the question asks about.
  return found.some(({ token }) => [1, 2].some((step) => copulas.has(tokens[token + step]?.folded ?? ""))) ? 1 : 0;
}
