/**
 * Finds a model's quotes in a passage, and the units (sentences, lines or rows) around the quotes.
 * Sentences of the model are checked against these units, which can also be cited.
 */

import { languageByFunctionWords } from "../../language/function-words.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import { unitsOf } from "../../language/sentences.ts";
import type { PassageText } from "../answering.ts";
import { type DateOrder, orderVotes } from "../values/dates.ts";
import { QuotedText, type QuoteSpan } from "./find-quotes.ts";

export class SourcePassage {
  readonly passage: PassageText;
  readonly #quoted: QuotedText;
  #units: readonly QuoteSpan[] | undefined;
  #language: { known: AnswerLanguage | undefined } | undefined;
  #order: { known: DateOrder | undefined } | undefined;

  constructor(passage: PassageText) {
    this.passage = passage;
    this.#quoted = new QuotedText(passage.text);
  }

  get text(): string {
    return this.passage.text;
  }

  /** Main language of the passage. Undefined if it cannot be determined. */
  get language(): AnswerLanguage | undefined {
    this.#language ??= { known: languageByFunctionWords(this.text) };
    return this.#language.known;
  }

  /** Order of day and month in numeric dates. Undefined if it cannot be determined. */
  get dateOrder(): DateOrder | undefined {
    this.#order ??= { known: orderOf(this.text) };
    return this.#order.known;
  }

  /** Sentences, lines and rows, in order. */
  get units(): readonly QuoteSpan[] {
    this.#units ??= withNumbers(unitsOf(this.text), this.text);
    return this.#units;
  }

  /** Returns the spans of the parts of a quote, or undefined if the quote is not in the passage. */
  spansOf(quote: string): QuoteSpan[] | undefined {
    return this.#quoted.spansOf(quote);
  }

  /** Returns the indices of the units that overlap the spans. */
  unitsAt(spans: readonly QuoteSpan[]): number[] {
    return this.units.flatMap((unit, at) =>
      spans.some((span) => span.start < unit.end && unit.start < span.end) ? [at] : [],
    );
  }
}

const endsInAbbreviation = /(?:^|\s)(?:no|nr|num|n|ref)\.\s*$/iu;

/**
 * Joins a unit that ends with an abbreviation, as in "Invoice no.", with the next unit, which
 * begins with the number.
 */
function withNumbers(units: readonly QuoteSpan[], text: string): QuoteSpan[] {
  const joined: QuoteSpan[] = [];
  for (const { start, end } of units) {
    const last = joined.at(-1);
    if (
      last &&
      endsInAbbreviation.test(text.slice(Math.max(last.start, last.end - 12), last.end)) &&
      !text.slice(last.end, start).includes("\n")
    )
      last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

function orderOf(text: string): DateOrder | undefined {
  const { dmy, mdy } = orderVotes(text);
  return dmy === mdy ? undefined : dmy > mdy ? "dmy" : "mdy";
}
