/**
 * Finds a model's quote in a text. Differences in case, accents, white space, hyphens and
 * punctuation are ignored.
 */
import { itemAt } from "../../lib/item-at.ts";
import { promptInjectionsIn } from "../page/prompt-injection.ts";
import { Stream } from "./atom-stream.ts";
import { type Atom, atomsOf } from "./atoms.ts";

export interface QuoteSpan {
  start: number;
  end: number;
}

const gaps = /(?:(?<!\s)\s+)?[[(]?(?:\.{3}|…)[\])]?\s*/u;
const wordUnit = /[\p{L}\p{N}]/u;

/** A text in which quotes can be found. Quotes never match the prompt injections of the text. */
export class QuotedText {
  readonly #atoms: Atom[];
  readonly #stream: Stream;

  constructor(text: string) {
    const injections = promptInjectionsIn(text);
    this.#atoms = atomsIn(text).filter(
      ({ start, end }) => !injections.some((span) => span.start < end && start < span.end),
    );
    this.#stream = streamOf(this.#atoms);
  }

  /**
   * Returns the spans of a quote in the order of the text. The quote may consist of several parts
   * with an ellipsis between them. Returns undefined if a part does not occur as whole words and
   * numbers.
   */
  spansOf(quote: string): QuoteSpan[] | undefined {
    const spans: QuoteSpan[] = [];
    let from = 0;
    for (const part of quote.split(gaps).filter((each) => wordUnit.test(each))) {
      const wanted = streamOf(atomsIn(part));
      const behind = (hit: { from: number }) => hit.from >= from;
      const hit =
        this.#stream.find(wanted, Infinity).find(behind) ?? this.#stream.findLoosely(wanted, Infinity).find(behind);
      if (!hit) return undefined;
      spans.push({ start: itemAt(this.#atoms, hit.from).start, end: itemAt(this.#atoms, hit.to - 1).end });
      from = hit.to;
    }
    return spans.length === 0 ? undefined : spans;
  }
}

/**
 * Splits a text into atoms. Quote and text are parsed with the same decimal mark, so that
 * identically written numbers are equal.
 */
const atomsIn = (text: string): Atom[] => atomsOf(text, ".");

const streamOf = (atoms: readonly Atom[]): Stream => new Stream(atoms.map(({ text }) => text));
