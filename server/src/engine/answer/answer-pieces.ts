/**
 * Locates the answer inside a unit (a sentence or line of a passage). Cuts the unit into pieces of
 * a few words and computes features of each piece.
 */

import { countWords } from "../../language/count-words.ts";
import { isStopWord } from "../../language/function-words.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import { trimmedSpan } from "../../language/sentences.ts";
import { itemAt } from "../../lib/item-at.ts";
import { reasonWords } from "../lexicon/questions/connectives.ts";
import type { Analysis } from "./analyze-question.ts";
import { holds } from "./answer-types.ts";
import type { ReadPassage, UnitCandidate } from "./features.ts";

export interface Piece {
  /** Span in the passage text, trimmed. */
  start: number;
  end: number;
  words: number;
  /**
   * True if the piece starts (`opens`) or ends (`closes`) at a clause boundary rather than inside a
   * clause.
   */
  opens: boolean;
  closes: boolean;
}

/** Features of the conditional logit, each about 0 to 1. */
export interface PieceFeatures {
  /**
   * Shares of the question terms that are in the piece (`own`), in or near the piece (`near`), and
   * before the piece in the same unit. The last share is called `after`, because the piece comes
   * after these terms.
   */
  own: number;
  near: number;
  after: number;
  /**
   * Degree to which the piece holds a value of the type that the question asks for. `typeNear` is
   * this degree multiplied by `near`.
   */
  type: number;
  typeNear: number;
  /**
   * Content words of the piece that are not in the question. `fresh` is their number on a
   * logarithmic scale, and `freshShare` is their share of all words of the piece.
   */
  fresh: number;
  freshShare: number;
  /**
   * 1 if the question does not ask for a type of value and the piece contains a name (`name`) or a
   * number (`number`) that is not in the question.
   */
  name: number;
  number: number;
  words: number;
  first: number;
  last: number;
  bracket: number;
  /**
   * 1 if the question asks for a reason and a word such as "because" is in the piece or at most two
   * words before it.
   */
  reason: number;
}

/**
 * Distance, in words, at which the weight of a nearby question term has fallen to 1/e. Chosen by
 * hand, 2026-11.
 */
const reach = 6;

export function featuresOfPieces(
  pieces: readonly Piece[],
  { unit, passage, index }: UnitCandidate,
  texts: readonly string[],
  read: readonly ReadPassage[],
  weights: readonly number[],
  analysis: Analysis,
  language: AnswerLanguage,
): PieceFeatures[] {
  const own = itemAt(read, passage);
  const text = itemAt(texts, passage);
  const tokens = itemAt(own.tokens, index);
  const found = own.found[index] ?? [];
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let next = 0;
  return pieces.map((piece, number): PieceFeatures => {
    const from = next;
    while (next < tokens.length && unit.start + itemAt(tokens, next).start < piece.end) next++;
    const slice = tokens.slice(from, next);
    const [here, near, before] = [new Map<number, number>(), new Map<number, number>(), new Map<number, number>()];
    for (const { term, token, strength } of found) {
      const distance = token < from ? from - token : token >= next ? token - next + 1 : 0;
      raise(near, term, strength * Math.exp(-distance / reach));
      if (distance === 0) raise(here, term, strength);
      if (token < from) raise(before, term, strength);
    }
    const share = (held: ReadonlyMap<number, number>): number =>
      [...held].reduce((sum, [term, strength]) => sum + strength * (weights[term] ?? 0), 0) / total;
    const matched = new Set(found.map(({ token }) => token));
    const fresh = slice.filter(
      (token, at) =>
        !matched.has(from + at) && !analysis.words.has(token.folded) && !isStopWord(token.folded, language),
    );
    const span = { text: text.slice(piece.start, piece.end), tokens: slice };
    const type = analysis.type === undefined ? 0 : holds(analysis.type, span, analysis.words, language);
    const nearby = share(near);
    const untyped = analysis.type === undefined;
    return {
      own: share(here),
      near: nearby,
      after: share(before),
      type,
      typeNear: type * nearby,
      fresh: Math.log2(1 + fresh.length) / 3,
      freshShare: fresh.length / Math.max(1, slice.length),
      name: untyped && fresh.some((token) => token.capital && !token.parted) ? 1 : 0,
      number: untyped && fresh.some((token) => token.digit) ? 1 : 0,
      words: Math.log2(1 + slice.length) / 4,
      first: number === 0 ? 1 : 0,
      last: number === pieces.length - 1 ? 1 : 0,
      bracket: /^[(（]/u.test(span.text) ? 1 : 0,
      reason:
        analysis.kind === "reason" &&
        tokens.slice(Math.max(0, from - 2), next).some((token) => reasonWords.has(token.folded))
          ? 1
          : 0,
    };
  });
}

function raise(held: Map<number, number>, term: number, strength: number): void {
  if (strength > (held.get(term) ?? 0)) held.set(term, strength);
}

const clauseEnd = /[,;:)،؛]["'”»]?\s+|[，；：、）—]["'”»]?\s*|\s[-–]\s|\s(?=[(（])/gu;
const mostWords = 8;

/**
 * Cuts a unit into pieces at clause boundaries. A long clause is also cut between words, preferably
 * before a function word.
 */
export function piecesOf(text: string, start: number, end: number, language: AnswerLanguage): Piece[] {
  const slice = text.slice(start, end);
  const cuts = [0, ...[...slice.matchAll(clauseEnd)].map((mark) => mark.index + mark[0].length), slice.length];
  const pieces: Piece[] = [];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const span = trimmedSpan(text, start + (cuts[i] ?? 0), start + (cuts[i + 1] ?? 0));
    if (span) addPieces(pieces, text, span.start, span.end, true, true, language);
  }
  return pieces;
}

function addPieces(
  pieces: Piece[],
  text: string,
  start: number,
  end: number,
  opens: boolean,
  closes: boolean,
  language: AnswerLanguage,
): void {
  const words = countWords(text.slice(start, end));
  const middle = words > mostWords ? cutBetweenWords(text, start, end, language) : undefined;
  if (middle === undefined) {
    pieces.push({ start, end, words, opens, closes });
    return;
  }
  const [first, second] = [trimmedSpan(text, start, middle), trimmedSpan(text, middle, end)];
  if (first) addPieces(pieces, text, first.start, first.end, opens, false, language);
  if (second) addPieces(pieces, text, second.start, second.end, false, closes, language);
}

const wordSegmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** Returns the word boundary nearest to the middle, preferring one before a function word. */
function cutBetweenWords(text: string, start: number, end: number, language: AnswerLanguage): number | undefined {
  const middle = (start + end) / 2;
  const slice = text.slice(start, end);
  const unspaced = !/\s/.test(slice);
  let best: { at: number; cost: number } | undefined;
  let functional = false;
  for (const { index, segment, isWordLike } of wordSegmenter.segment(slice)) {
    const at = start + index;
    const stop =
      isWordLike === true &&
      isStopWord(
        segment
          .toLowerCase()
          .normalize("NFKD")
          .replace(/\p{M}+/gu, ""),
        language,
      );
    if (index > 0 && isWordLike && (unspaced || /\s/u.test(slice.charAt(index - 1)))) {
      const cost = Math.abs(at - middle) * (stop && !functional ? 0.5 : 1);
      if (best === undefined || cost < best.cost) best = { at, cost };
    }
    if (isWordLike) functional = stop;
  }
  return best?.at;
}
