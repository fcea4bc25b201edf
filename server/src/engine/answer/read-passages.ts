/**
 * Rates the units of passages (sentences and lines) by how well they answer a question.
 */
import { foldWord } from "../../language/folding.ts";
import { knownLanguage } from "../../language/question-languages.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { PassageText, Question } from "../answering.ts";
import { type Analysis, analyse } from "./analyze-question.ts";
import { candidatesOf, type Features, type UnitCandidate } from "./features.ts";
import type { Scored } from "./select-quotes.ts";

/** Maximum number of passages whose units may be quoted. Chosen by hand, 2026-11. */
const maxPassages = 20;

/**
 * Weights of a conditional logit that decides which unit of the retrieved passages holds the
 * answer. Fitted on questions in six languages. All languages and documents share one set of
 * weights.
 */
const featureWeights: Readonly<Record<keyof Features, number>> = {
  own: 4.42,
  before: 2.51,
  behind: 0.52,
  around: -0.3,
  above: 2.43,
  rarest: 1.56,
  exact: 2.35,
  close: 1.49,
  density: 2.63,
  continued: 1.53,
  type: 2.3,
  manner: 0.38,
  retrieval: 3.78,
  rank: 0.89,
  length: 1.29,
};

/** The units of the passages, best first, and the data needed to quote them. */
export type ReadPassages = ReturnType<typeof readPassages>;

export function readPassages(question: Question, passages: readonly PassageText[]) {
  const language = knownLanguage(question.language);
  const analysis = withContext(analyse(question.query, language), question, language);
  const usable = passages.slice(0, maxPassages);
  const { candidates, weights, read } = candidatesOf(analysis, usable, language);
  const ranked = rank(
    candidates.filter(
      ({ passage, unit }) => !isAvoided(itemAt(usable, passage).text.slice(unit.start, unit.end), question),
    ),
  );
  return { language, analysis, usable, weights, read, ranked };
}

/**
 * Adds the terms of the conversation with full weight. Kind and answer type come from the question,
 * or from the conversation if the question has no kind.
 */
function withContext(analysis: Analysis, question: Question, language: ReturnType<typeof knownLanguage>): Analysis {
  if (question.context === "") return analysis;
  const before = analyse(question.context, language);
  const known = new Set(analysis.terms.map((term) => term.stem));
  return {
    kind: analysis.kind === "none" ? before.kind : analysis.kind,
    type: analysis.kind === "none" ? before.type : analysis.type,
    terms: [...analysis.terms, ...before.terms.filter((term) => !known.has(term.stem))],
    words: new Set([...analysis.words, ...before.words]),
  };
}

/** Returns true for a text that the wishes exclude from answers. */
export function isAvoided(text: string, { wishes }: Question): boolean {
  if (wishes.avoid.length === 0) return false;
  const folded = foldWord(text);
  return wishes.avoid.some((avoided) => folded.includes(foldWord(avoided)));
}

/** Sorts candidates by score, and sets the `share` of each: the softmax of the scores. */
function rank(candidates: readonly UnitCandidate[]): Scored[] {
  const keys = Object.keys(featureWeights) as (keyof Features)[];
  const scored = candidates
    .map((candidate) => ({
      candidate,
      score: keys.reduce((sum, key) => sum + featureWeights[key] * candidate.features[key], 0),
      share: 0,
    }))
    .toSorted((a, b) => b.score - a.score);
  const top = scored[0]?.score ?? 0;
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - top), 0);
  for (const each of scored) each.share = Math.exp(each.score - top) / total;
  return scored;
}
