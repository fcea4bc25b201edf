/**
 * Decides which sentences of a model's answer are output. A unit is a sentence or line of a
 * passage. A sentence is kept if a quoted unit states it. Otherwise the unit replaces it.
 * Irrelevant sentences are dropped.
 */

import { countWords } from "../../language/count-words.ts";
import { foldWord } from "../../language/folding.ts";
import { isStopWord } from "../../language/function-words.ts";
import { knownLanguage } from "../../language/question-languages.ts";
import { unitsOf } from "../../language/sentences.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { AnswerPart, PassageSpan, PassageText, Question } from "../answering.ts";
import type { QuoteSpan } from "./find-quotes.ts";
import { Relevance } from "./relevance.ts";
import { SourcePassage } from "./source-passage.ts";
import { isPlain, isSupported } from "./support.ts";

export interface QuotedSentence {
  text: string;
  /** Quotes that support the text, each with the number of its passage, from 1. */
  quotes: readonly { passage: number; quote: string }[];
}

/**
 * Maximum number of units that replace one sentence. If there are more, only the best unit replaces
 * it. Chosen by hand, 2026-11.
 */
const mostUnits = 3;
/**
 * Maximum total number of words of the units that replace one sentence. If the units have more
 * words, only the best unit replaces the sentence. Chosen by hand, 2026-11.
 */
const mostWordsOfUnits = 60;
/** Maximum number of words of a unit that may replace a sentence. Chosen by hand, 2026-11. */
const longestUnit = 150;
/**
 * Maximum length of a model text that is judged, in UTF-16 units. Real answers are much shorter.
 * Chosen by hand, 2026-11.
 */
const longestText = 8_000;

/** Judges the sentences of one answer, one after the other. */
export class AnswerJudge {
  readonly #question: Question;
  readonly #sources: (SourcePassage | undefined)[];
  readonly #relevance: Relevance;
  /** Units that are part of the answer already, as `passage:unit`. */
  readonly #shown = new Set<string>();

  /** @param shown indices of the passages that the model may quote */
  constructor(question: Question, passages: readonly PassageText[], shown: ReadonlySet<number>) {
    this.#question = question;
    this.#sources = passages.map((passage, at) => (shown.has(at) ? new SourcePassage(passage) : undefined));
    this.#relevance = new Relevance(
      question,
      this.#sources.filter((source) => source !== undefined),
    );
  }

  /**
   * Returns the answer parts for a text of the model. If no unit states the text as a whole, judges
   * each of its sentences.
   */
  partsOf({ text, quotes }: QuotedSentence): AnswerPart[] {
    const places = quotes.flatMap(({ passage, quote }) => this.#placesOf(quote, passage - 1));
    if (places.length === 0 || text.length > longestText) return [];
    const parts = this.#supported(text, places);
    if (parts) return parts;
    return unitsOf(text)
      .map(({ start, end }) => onOneLine(text.slice(start, end)))
      .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
      .flatMap((sentence) => this.#supported(sentence, places) ?? this.#replaced(sentence, places));
  }

  /**
   * Returns the sentence as an answer part if a unit states it. Returns an empty array if a unit
   * states it but it must not be output. Returns undefined if no unit states it.
   */
  #supported(text: string, places: readonly QuotedUnits[]): AnswerPart[] | undefined {
    const sentence = onOneLine(text);
    for (const place of places) {
      const { source, units } = place;
      const at = units.find((unit) => isSupported(sentence, source, unit));
      if (at === undefined) continue;
      const unit = textOf(place, at);
      if (!isPlain(sentence, unit) || !this.#maySay(sentence, source) || !this.#maySay(unit, source)) return [];
      this.#shown.add(keyOf(place, at));
      return [
        { before: " ", text: sentence, sources: place.spans.map((span) => ({ passage: place.passage, ...span })) },
      ];
    }
    return undefined;
  }

  /**
   * Replaces a sentence by the quoted units. If they are too many or too long, only the unit most
   * similar to the sentence replaces it.
   */
  #replaced(sentence: string, places: readonly QuotedUnits[]): AnswerPart[] {
    const all = places.flatMap((place) => place.units.map((at) => ({ place, at, text: textOf(place, at) })));
    const quoted = all.filter(({ place, text }) => countWords(text) <= longestUnit && this.#maySay(text, place.source));
    const words = quoted.reduce((sum, { text }) => sum + countWords(text), 0);
    const taken =
      quoted.length <= mostUnits && words <= mostWordsOfUnits ? quoted : bestOf(quoted, sentence, this.#question);
    return taken.flatMap(({ place, at, text }): AnswerPart[] => {
      const key = keyOf(place, at);
      if (this.#shown.has(key)) return [];
      this.#shown.add(key);
      const { start, end } = itemAt(place.source.units, at);
      const source: PassageSpan = { passage: place.passage, start, end };
      return [{ before: " ", text: onOneLine(text), sources: [source] }];
    });
  }

  #maySay(text: string, source: SourcePassage): boolean {
    const { avoid } = this.#question.wishes;
    return (
      !avoid.some((avoided) => foldWord(text).includes(foldWord(avoided))) && this.#relevance.isAnswer(text, source)
    );
  }

  /**
   * Finds a quote in the passage that the model names. If the quote is not there, searches the
   * other passages and uses the first that contains it.
   */
  #placesOf(quote: string, named: number): QuotedUnits[] {
    for (const passage of [named, ...this.#sources.keys()]) {
      const source = this.#sources[passage];
      const spans = source?.spansOf(quote);
      if (source && spans) return [{ passage, source, spans, units: source.unitsAt(spans) }];
    }
    return [];
  }
}

interface QuotedUnits {
  passage: number;
  source: SourcePassage;
  /** Spans of the quote. */
  spans: readonly QuoteSpan[];
  /** Indices of the units that the quote overlaps. */
  units: readonly number[];
}

const keyOf = ({ passage }: QuotedUnits, at: number): string => `${passage}:${at}`;

function textOf({ source }: QuotedUnits, at: number): string {
  const { start, end } = itemAt(source.units, at);
  return source.text.slice(start, end);
}

function bestOf<T extends { text: string }>(units: readonly T[], sentence: string, { language }: Question): T[] {
  const known = knownLanguage(language);
  const said = new Set(wordTokensOf(sentence).map(({ folded }) => folded));
  const shared = (text: string): number =>
    new Set(
      wordTokensOf(text).flatMap(({ folded }) => (said.has(folded) && !isStopWord(folded, known) ? [folded] : [])),
    ).size;
  const [first, ...others] = units;
  if (!first) return [];
  return [others.reduce((best, unit) => (shared(unit.text) > shared(best.text) ? unit : best), first)];
}

const onOneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
