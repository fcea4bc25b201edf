/**
 * Estimates the probability that the best unit answers the question at all. A unit is a sentence or
 * line of a passage. Sentences that share many words with a question often do not answer it. Strong
 * signs against an answer are missing terms, a negation that occurs in the question but not in the
 * unit, and an antonym of a question word in the unit.
 */

import type { AnswerLanguage } from "../../language/question-languages.ts";
import type { WordToken } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import { polarities } from "../lexicon/questions/negation.ts";
import type { Analysis } from "./analyze-question.ts";
import type { ReadPassage, UnitCandidate } from "./features.ts";

/** Features of the logistic regression, each 0–1 except `ahead`, which may be negative. */
export interface Signs {
  one: 1;
  /**
   * Shares of the question terms: `own` counts terms in the unit. `held` also counts terms in its
   * neighbours, its passage or its headings.
   */
  own: number;
  held: number;
  exact: number;
  close: number;
  type: number;
  density: number;
  /** Share of the question terms that no passage contains. */
  nowhere: number;
  /** Share of the question's names, numbers and codes that the unit lacks. */
  lacking: number;
  negated: number;
  opposite: number;
  /**
   * Lead of the passage's retrieval score over that of the best other passage, as a share of the
   * passage's own score. Negative if the other score is higher.
   */
  ahead: number;
  /**
   * Number of question terms, scaled to at most 1. A match of many terms is less likely to be a
   * coincidence.
   */
  terms: number;
}

export function signsOf(
  { features, passage, index }: UnitCandidate,
  analysis: Analysis,
  asked: readonly WordToken[],
  read: readonly ReadPassage[],
  weights: readonly number[],
  scores: readonly number[],
  language: AnswerLanguage,
): Signs {
  const own = itemAt(read, passage);
  const here = new Set((own.found[index] ?? []).map(({ term }) => term));
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const unseen = weights.filter((_, term) => !read.some(({ whole, above }) => whole.has(term) || above.has(term)));
  const exact = analysis.terms.flatMap((term, number) => (term.exact ? [number] : []));
  const { own: share, before, behind, around, above } = features;
  const best = scores[passage] ?? 0;
  const next = Math.max(0, ...scores.filter((_, number) => number !== passage));
  return {
    one: 1,
    own: share,
    held: share + before + behind + around + above,
    exact: features.exact,
    close: features.close,
    type: features.type,
    density: features.density,
    nowhere: unseen.reduce((sum, weight) => sum + weight, 0) / total,
    lacking: exact.length === 0 ? 0 : exact.filter((term) => !here.has(term)).length / exact.length,
    ...polarityOf(asked, own.tokens[index] ?? [], language),
    ahead: best > 0 ? Math.max(-1, 1 - next / best) : 0,
    terms: Math.min(1, analysis.terms.length / 12),
  };
}

/**
 * Returns the folded words. A pair of Chinese characters also counts as its two single characters.
 */
const wordSet = (tokens: readonly WordToken[]): Set<string> =>
  new Set(tokens.flatMap(({ folded }) => (/^\p{Script=Han}/u.test(folded) ? [folded, ...folded] : [folded])));

function polarityOf(
  asked: readonly WordToken[],
  said: readonly WordToken[],
  language: AnswerLanguage,
): { negated: number; opposite: number } {
  const { negations, opposites } = polarities.get(language) as NonNullable<ReturnType<typeof polarities.get>>;
  const words = wordSet(said);
  const negative = (set: ReadonlySet<string>): boolean => [...set].some((word) => negations.has(word));
  const opposite = asked.some(({ folded }) => {
    const others = opposites.get(folded);
    return others !== undefined && !words.has(folded) && [...others].some((other) => words.has(other));
  });
  return { negated: negative(wordSet(asked)) && !negative(words) ? 1 : 0, opposite: opposite ? 1 : 0 };
}

/**
 * Weights of a logistic regression. It was fitted on three kinds of questions: answerable ones,
 * adversarial ones that only look answerable, and questions about other documents. The features do
 * not depend on the language. Half of the articles were used for fitting, the other half for
 * checking. Balanced accuracy on the two halves was 0.58 and 0.65 for adversarial questions, and
 * 0.82 and 0.83 for questions about other documents (chance: 0.50). Negations and antonyms are
 * rare, so their weights were raised by hand.
 */
const signWeights: Readonly<Record<keyof Signs, number>> = {
  one: -2.35,
  own: 0.77,
  held: 0.33,
  exact: 1.16,
  close: 0.2,
  type: 0.26,
  density: 0.46,
  nowhere: -1.24,
  lacking: -0.4,
  negated: -2.9,
  opposite: -1.85,
  ahead: 1.41,
  terms: 0.75,
};

/**
 * Minimum probability at which a unit is offered as an answer. With this value, the engine does not
 * answer 1 in 15 answerable questions about articles. It also does not answer 2 in 3 questions on
 * topics outside the documents.
 */
export const minChance = 0.32;

/** Returns the probability (0–1) that the unit answers the question. */
export function chanceOf(signs: Signs): number {
  const sum = (Object.keys(signWeights) as (keyof Signs)[]).reduce(
    (all, key) => all + signs[key] * signWeights[key],
    0,
  );
  return 1 / (1 + Math.exp(-sum));
}
