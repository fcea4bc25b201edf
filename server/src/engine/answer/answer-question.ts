/**
 * Answers questions from passages without a language model, by quoting the best units verbatim. A
 * unit is a sentence or line of a passage.
 */

import { countWords } from "../../language/count-words.ts";
import { foldWord } from "../../language/folding.ts";
import { knownLanguage } from "../../language/question-languages.ts";
import type { Unit } from "../../language/sentences.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { Answer, AnswerPart, FieldValue, PassageSpan, PassageText, Question } from "../answering.ts";
import { noAnswer } from "../lexicon/questions/fixed-sentences.ts";
import { type Analysis, analyse } from "./analyze-question.ts";
import { chanceOf, minChance, signsOf } from "./answer-chance.ts";
import { documentsToRead } from "./documents-to-read.ts";
import { candidatesOf, type Features, type UnitCandidate } from "./features.ts";
import { type Quote, type Scored, select } from "./select-quotes.ts";
import { understandQuestion } from "./understand-question.ts";

/**
 * Minimum confidence of an extracted field value that is used as the answer. Below it, a quoted
 * passage is more likely to be right. Chosen by hand, 2026-11.
 */
const minFieldConfidence = 0.35;

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

function answerFrom(question: Question, passages: readonly PassageText[], fields: readonly FieldValue[] = []): Answer {
  const field = fields.find(
    ({ evidence: { confidence, quote } }) =>
      confidence >= minFieldConfidence && countWords(quote) <= question.wishes.words && !isAvoided(quote, question),
  );
  if (field !== undefined) {
    const part = { before: "", text: field.evidence.quote, sources: [field] };
    return { found: true, confidence: field.evidence.confidence, parts: [part] };
  }
  const { language, analysis, usable, weights, read, ranked } = readPassages(question, passages);
  const best = ranked[0];
  if (best === undefined) return unanswered(question, 1);
  const asked = wordTokensOf(question.query);
  const scores = usable.map((passage) => passage.score);
  const chance = chanceOf(signsOf(best.candidate, analysis, asked, read, weights, scores, language));
  if (chance < minChance) return unanswered(question, 1 - chance);
  const quotes = select(ranked, question.wishes, {
    texts: usable.map((passage) => passage.text),
    read,
    weights,
    analysis,
    language,
  });
  if (quotes.length === 0) return unanswered(question, 1 - chance);
  const share = Math.min(
    1,
    quotes.reduce((sum, quote) => sum + quote.share, 0),
  );
  return {
    found: true,
    confidence: chance * share,
    parts: quotes.map((quote, index) => partOf(quote, quotes[index - 1], usable)),
  };
}

/**
 * `likelySpans` takes the best units until their probabilities add up to `chanceOfUnits`, but at
 * most `mostUnits` of them. Chosen by hand, 2026-11.
 */
const chanceOfUnits = 0.98;
const mostUnits = 26;
/**
 * Number of best units that are returned together with the units before and after them. The
 * neighbours show what "he" or "this" refers to. Chosen by hand, 2026-11.
 */
const unitsWithNeighbours = 4;

/**
 * Returns the spans that are likely to contain the answer, in passage order. They become the
 * context of a language model.
 */
function likelySpans(question: Question, passages: readonly PassageText[]): PassageSpan[] {
  const { ranked, read } = readPassages(question, passages);
  const shown = new Map<number, Set<number>>();
  let chance = 0;
  for (const [at, { candidate, share }] of ranked.slice(0, mostUnits).entries()) {
    const { passage, index } = candidate;
    const units = shown.get(passage) ?? new Set();
    for (const each of at < unitsWithNeighbours ? [index - 1, index, index + 1] : [index]) units.add(each);
    shown.set(passage, units);
    chance += share;
    if (chance >= chanceOfUnits) break;
  }
  return [...shown]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([passage, indices]) => mergedSpans(itemAt(read, passage).units, indices, passage));
}

/** Merges adjacent units into one span. */
function mergedSpans(units: readonly Unit[], indices: ReadonlySet<number>, passage: number): PassageSpan[] {
  const spans: PassageSpan[] = [];
  let isOpen = false;
  for (const [index, { start, end }] of units.entries()) {
    const last = spans.at(-1);
    if (!indices.has(index)) isOpen = false;
    else if (isOpen && last) last.end = end;
    else {
      spans.push({ passage, start, end });
      isOpen = true;
    }
  }
  return spans;
}

/** Entry points that the worker threads of `threaded-answerer.ts` run. */
export const builtinAnswerer = {
  understand: understandQuestion,
  documentsToRead,
  answer: answerFrom,
  likelySpans,
};

function readPassages(question: Question, passages: readonly PassageText[]) {
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

function isAvoided(text: string, { wishes }: Question): boolean {
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

function partOf(quote: Quote, previous: Quote | undefined, passages: readonly PassageText[]): AnswerPart {
  const text = itemAt(passages, quote.passage).text;
  const { passage, start, end } = quote;
  return {
    before: previous === undefined ? "" : separator(previous, quote, text),
    text: text.slice(start, end),
    sources: [{ passage, start, end }],
  };
}

/**
 * Returns the separator before a quote: a line break between lines, or a space between sentences of
 * one line.
 */
function separator(previous: Quote, quote: Quote, text: string): string {
  if (previous.passage !== quote.passage) return "\n";
  const between = text.slice(previous.end, quote.start);
  return between.trim() === "" ? between : between.includes("\n") ? "\n" : " ";
}

function unanswered({ wishes }: Question, confidence: number): Answer {
  const text = wishes.noAnswer ?? noAnswer[knownLanguage(wishes.language)];
  return { found: false, confidence, parts: [{ before: "", text, sources: [] }] };
}

/** Returns the answer as one string. */
export const answerText = ({ parts }: Answer): string => parts.map((part) => part.before + part.text).join("");
