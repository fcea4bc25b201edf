/**
 * Answers questions without a language model: with a fact from a document, or by quoting the best
 * sentences or lines verbatim.
 */

import { knownLanguage } from "../../language/question-languages.ts";
import type { Unit } from "../../language/sentences.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { Answer, AnswerPart, DocumentFacts, PassageSpan, PassageText, Question } from "../answering.ts";
import { noAnswer } from "../lexicon/questions/fixed-sentences.ts";
import { chooseOffer } from "./choose-answer.ts";
import { documentsToRead } from "./documents-to-read.ts";
import { nameDocuments } from "./name-documents.ts";
import { offersFor } from "./offers.ts";
import { readPassages } from "./read-passages.ts";
import { understandQuestion } from "./understand-question.ts";

function answerFrom(
  question: Question,
  passages: readonly PassageText[],
  facts: readonly DocumentFacts[] = [],
): Answer {
  if (question.asksForDocument) return nameDocuments(question, passages) ?? unanswered(question, 1);
  const offers = offersFor(question, passages, facts);
  const chosen = chooseOffer(offers);
  const offer = chosen && offers[chosen.index];
  if (chosen === undefined || offer === undefined) return unanswered(question, 1);
  if (chosen.confidence < offer.minimum) return unanswered(question, 1 - chosen.confidence);
  const confidence = Math.max(chosen.confidence, offer.known);
  return { found: true, confidence, parts: offer.parts.map((part) => withConfidence(part, confidence)) };
}

/** Sets the confidence of each fact among the sources to the confidence of the answer. */
const withConfidence = (part: AnswerPart, confidence: number): AnswerPart => ({
  ...part,
  sources: part.sources.map((source) =>
    "evidence" in source ? { ...source, evidence: { ...source.evidence, confidence } } : source,
  ),
});

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

/** Functions that the worker threads of `threaded-answerer.ts` call by name. */
export const builtinAnswerer = {
  understand: understandQuestion,
  documentsToRead: (question: Question, passages: readonly PassageText[]): number[][] =>
    question.asksForDocument ? [] : documentsToRead(question, passages).map(({ passages: own }) => own),
  answer: answerFrom,
  likelySpans,
};

function unanswered({ wishes }: Question, confidence: number): Answer {
  const text = wishes.noAnswer ?? noAnswer[knownLanguage(wishes.language)];
  return { found: false, confidence, parts: [{ before: "", text, sources: [] }] };
}

/** Returns the answer as one string. */
export const answerText = ({ parts }: Answer): string => parts.map((part) => part.before + part.text).join("");
