/**
 * The chance that the best unit answers the question at all. Sentences that share much with a question often don't: what tells most is
 * what is missing there (a name, a rare word anywhere), a negation on one side only, and the opposite of a word of the question.
 */

import type { AnswerLanguage } from "../../language/question-languages.ts";
import type { WordToken } from "../../language/word-tokens.ts";
import { polarities } from "../lexicon/questions/negation.ts";
import type { Analysis } from "./analyze-question.ts";
import type { Candidate, ReadPassage } from "./features.ts";

/** Each 0 to 1. */
export interface Signs {
  one: 1;
  /** Share of the question in the unit, and with its surroundings. */
  own: number;
  held: number;
  exact: number;
  close: number;
  type: number;
  density: number;
  /** Share of the question that no passage holds. */
  nowhere: number;
  /** Share of the names, numbers and codes that the unit lacks. */
  lacking: number;
  negated: number;
  opposite: number;
  /** How far the passage is ahead of the next one in retrieval. */
  ahead: number;
  /** Many terms leave less to chance. */
  terms: number;
}

export function signsOf(
  { features, passage, index }: Candidate,
  analysis: Analysis,
  asked: readonly WordToken[],
  read: readonly ReadPassage[],
  weights: readonly number[],
  scores: readonly number[],
  language: AnswerLanguage,
): Signs {
  const own = read[passage] as ReadPassage;
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

/** Of pairs of Chinese characters each character, too. */
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
 * A logistic regression fitted on questions with an answer, questions written to look as if they had one, and questions about other documents.
 * The weights hold no word of any language. Fitted on one half of the articles and checked on the other, the balanced accuracy on questions of the
 * second kind was 0.58 and 0.65, that on the third 0.82 and 0.83 (chance: 0.50).
 * Negations and opposites, which are rare, count somewhat more than fitted.
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

/** Below it the answer is that there is none. Refuses about one answerable question in fifteen, and two in three on topics that the documents do not treat. */
export const minChance = 0.32;

/** 0 to 1. */
export function chanceOf(signs: Signs): number {
  const sum = (Object.keys(signWeights) as (keyof Signs)[]).reduce(
    (all, key) => all + signs[key] * signWeights[key],
    0,
  );
  return 1 / (1 + Math.exp(-sum));
}
