/**
 * Builds a short answer from verbatim quotes: whole units (sentences or lines), or the best part of
 * a long unit.
 */

import { countWords } from "../../language/count-words.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { Analysis } from "./analyze-question.ts";
import { featuresOfPieces, type PieceFeatures, piecesOf } from "./answer-pieces.ts";
import type { ReadPassage, UnitCandidate } from "./features.ts";

export interface Scored {
  candidate: UnitCandidate;
  score: number;
  /** Probability (0–1) that this unit holds the answer, given that one of the candidates does. */
  share: number;
}

/** Span of a passage text to quote. */
export interface Quote {
  passage: number;
  start: number;
  end: number;
  /** Probability (0–1) that the quote holds the answer, given that one of the candidates does. */
  share: number;
}

export interface AnswerLimits {
  words: number;
  sentences: number;
}

export interface QuoteContext {
  texts: readonly string[];
  read: readonly ReadPassage[];
  weights: readonly number[];
  analysis: Analysis;
  language: AnswerLanguage;
}

/**
 * Weights of a conditional logit that decides which piece of a unit holds the answer. Fitted on
 * questions in seven languages.
 */
const pieceWeights: Readonly<Record<keyof PieceFeatures, number>> = {
  own: -0.3,
  near: 3.46,
  after: 0.88,
  type: 2.8,
  typeNear: 2.16,
  fresh: 2.22,
  freshShare: -0.39,
  name: 0.75,
  number: -0.27,
  words: -1.62,
  first: 0.09,
  last: 0.16,
  bracket: -0.18,
  reason: 0.46,
};

const maxTried = 8;
/**
 * Costs per quote, per cut inside a clause, per cut between clauses, and per word. They are
 * subtracted from the probability that the quotes hold the answer, so that short answers win.
 * Chosen by hand, 2026-11.
 */
const quoteCost = 0.015;
const cutCost = 0.01;
const clauseCost = 0.003;
const wordCost = 0.0005;
/**
 * Minimum number of words of a quote that is only a part of its unit. A unit with fewer words can
 * be quoted whole. Chosen by hand, 2026-11.
 */
const fewestWords = 4;

interface Choice {
  worth: number;
  quotes: readonly Quote[];
}

/**
 * Selects the quotes that most likely contain the answer, within the limits on words and sentences.
 */
export function select(ranked: readonly Scored[], limits: AnswerLimits, context: QuoteContext): Quote[] {
  for (let words = limits.words; words > 0; words--) {
    const quotes = choose(ranked, { ...limits, words }, context);
    // In scripts without spaces, joined pieces can count as more words than the sum of their
    // separate counts. If the total is above the limit, the selection is repeated with fewer words.
    const total = quotes.reduce(
      (sum, { passage, start, end }) => sum + countWords(itemAt(context.texts, passage).slice(start, end)),
      0,
    );
    if (total <= limits.words) return inReadingOrder(withHeaders(quotes, limits.words - total, context));
  }
  return [];
}

function choose(ranked: readonly Scored[], limits: AnswerLimits, context: QuoteContext): readonly Quote[] {
  let choices: (Choice | undefined)[][] = [[{ worth: 0, quotes: [] }]];
  const seen = new Set<string>();
  let tried = 0;
  for (const scored of ranked) {
    if (tried === maxTried) break;
    const { unit, passage } = scored.candidate;
    const plain = itemAt(context.texts, passage)
      .slice(unit.start, unit.end)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "");
    if (seen.has(plain)) continue;
    seen.add(plain);
    tried++;
    choices = withUnit(choices, windowsOf(scored, limits.words, context), limits);
  }
  let best: Choice | undefined;
  for (const choice of choices.slice(1).flat())
    if (choice !== undefined && choice.worth > (best?.worth ?? Number.NEGATIVE_INFINITY)) best = choice;
  return best?.quotes ?? [];
}

/** Adds the header row before each quoted table row, if the word limit allows it. */
function withHeaders(quotes: readonly Quote[], words: number, { texts, read }: QuoteContext): Quote[] {
  const headed = [...quotes];
  let left = words;
  for (const { passage, start } of quotes) {
    const { units } = itemAt(read, passage);
    const header = units[units.find((unit) => unit.start === start)?.header ?? -1];
    if (header === undefined || headed.some((quote) => quote.passage === passage && quote.start === header.start))
      continue;
    const count = countWords(itemAt(texts, passage).slice(header.start, header.end));
    if (count > left) continue;
    headed.push({ passage, start: header.start, end: header.end, share: 0 });
    left -= count;
  }
  return headed;
}

/**
 * Performs one step of a dynamic program. `choices[quotes][words]` is the best selection so far
 * with this number of quotes and words. Each selection is extended by at most one window of the
 * next unit.
 */
function withUnit(
  choices: readonly (Choice | undefined)[][],
  windows: readonly Window[],
  limits: AnswerLimits,
): (Choice | undefined)[][] {
  const next = choices.map((row) => [...row]);
  for (const [count, row] of choices.entries()) {
    if (count === limits.sentences) break;
    const target = next[count + 1] ?? [];
    next[count + 1] = target;
    for (const [words, choice] of row.entries()) {
      if (choice === undefined) continue;
      for (const window of windows) {
        const sum = words + window.words;
        if (sum > limits.words) continue;
        const worth = choice.worth + window.worth;
        if (worth > (target[sum]?.worth ?? Number.NEGATIVE_INFINITY))
          target[sum] = { worth, quotes: [...choice.quotes, window.quote] };
      }
    }
  }
  return next;
}

interface Window {
  words: number;
  worth: number;
  quote: Quote;
}

/** Returns, for each word count, the best sequence of consecutive pieces of a unit. */
function windowsOf({ candidate, share }: Scored, words: number, context: QuoteContext): Window[] {
  const { unit, passage } = candidate;
  const { texts, read, weights, analysis, language } = context;
  const text = itemAt(texts, passage);
  const cut = piecesOf(text, unit.start, unit.end, language);
  // A short line of a form or table is quoted whole.
  const total = cut.reduce((sum, piece) => sum + piece.words, 0);
  const pieces =
    unit.kind === "line" && total <= words
      ? [{ start: unit.start, end: unit.end, words: total, opens: true, closes: true }]
      : cut;
  const chances = chancesOf(featuresOfPieces(pieces, candidate, texts, read, weights, analysis, language));
  const best: (Window | undefined)[] = [];
  for (const [first, from] of pieces.entries()) {
    let [count, chance] = [0, 0];
    for (const [step, to] of pieces.slice(first).entries()) {
      count += to.words;
      if (count > words) break;
      chance += chances[first + step] ?? 0;
      const whole = first === 0 && first + step === pieces.length - 1;
      if (count < fewestWords && !whole) continue;
      const cuts =
        (first === 0 ? 0 : from.opens ? clauseCost : cutCost) +
        (first + step === pieces.length - 1 ? 0 : to.closes ? clauseCost : cutCost);
      const worth = share * chance - quoteCost - cuts - count * wordCost;
      if (worth > (best[count]?.worth ?? Number.NEGATIVE_INFINITY))
        best[count] = {
          words: count,
          worth,
          quote: { passage, start: from.start, end: to.end, share: share * chance },
        };
    }
  }
  return best.filter((window) => window !== undefined);
}

function chancesOf(features: readonly PieceFeatures[]): number[] {
  const keys = Object.keys(pieceWeights) as (keyof PieceFeatures)[];
  const scores = features.map((each) => keys.reduce((sum, key) => sum + pieceWeights[key] * each[key], 0));
  const top = Math.max(...scores);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - top), 0);
  return scores.map((score) => Math.exp(score - top) / total);
}

/** Sorts quotes of one passage by position. The passage of the best quote comes first. */
function inReadingOrder(quotes: readonly Quote[]): Quote[] {
  const passages = [...new Set(quotes.map((quote) => quote.passage))];
  return passages.flatMap((passage) =>
    quotes.filter((quote) => quote.passage === passage).toSorted((a, b) => a.start - b.start),
  );
}
