/**
 * Checks whether a unit of a passage (a sentence or line) may be part of the answer to the
 * question.
 */

import { languageByFunctionWords } from "../../language/function-words.ts";
import { knownLanguage } from "../../language/question-languages.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import { type Analysis, analyse } from "../answer/analyze-question.ts";
import { holds } from "../answer/answer-types.ts";
import { type Matcher, matcherOf } from "../answer/match-terms.ts";
import type { Question } from "../answering.ts";
import { type AskedField, readAskedFields } from "../extract/labels/asked-fields.ts";
import { isDisguised, isInstruction } from "./instructions.ts";
import { isInLanguage } from "./sentence-language.ts";
import type { SourcePassage } from "./source-passage.ts";
import { fitsSomewhere } from "./value-forms.ts";

/**
 * Minimum result of `holds` (0 to 1) at which a text counts as containing a value of the type that
 * the question asks for. Chosen by hand, 2026-11.
 */
const minHeld = 0.4;
/**
 * A text that shares no word with the question must score at least this as a label of the field
 * that the question asks for. Chosen by hand, 2026-11.
 */
const minLabel = 0.4;

export class Relevance {
  readonly #question: Question;
  readonly #analysis: Analysis;
  readonly #match: Matcher;
  /** Field of a business document that the question asks for. Undefined if it asks for none. */
  readonly #field: AskedField | undefined;
  readonly #sources: readonly SourcePassage[];
  readonly #terms = new Map<SourcePassage, ReadonlySet<number>>();

  constructor(question: Question, sources: readonly SourcePassage[]) {
    const language = knownLanguage(question.language);
    this.#question = question;
    this.#analysis = analyse(`${question.query} ${question.context}`.trim(), language);
    this.#match = matcherOf(this.#analysis.terms, language);
    this.#field = question.field && readAskedFields([question.field.param])[0];
    this.#sources = sources;
  }

  /** Returns true if the text, a unit of `source`, may be part of the answer. */
  isAnswer(text: string, source: SourcePassage): boolean {
    const { words } = this.#analysis;
    if (isDisguised(text) || isInstruction(text, words)) return false;
    if (this.#isOfOther(source)) return false;
    const field = this.#field;
    if (field) return fitsSomewhere(field, text) && (this.#termsIn(text).size > 0 || field.score(text) >= minLabel);
    return this.#termsIn(text).size > 0 || this.#mayAnswerUnnamed(text, source);
  }

  #termsIn(text: string): Set<number> {
    return new Set(this.#match(wordTokensOf(text)).map(({ term }) => term));
  }

  /**
   * Returns true if a text that shares no word with the question may still answer it. If the
   * question asks for a type of value, such as a date, the text must contain such a value. If it
   * asks for a person or a place, or for no particular type, the text must be in the language of
   * its document.
   */
  #mayAnswerUnnamed(text: string, source: SourcePassage): boolean {
    const { type, words } = this.#analysis;
    const span = { text, tokens: wordTokensOf(text) };
    const isOfForm = type !== undefined && type !== "person" && type !== "place";
    if (isOfForm) return holds(type, span, words, knownLanguage(this.#question.language)) >= minHeld;
    return source.language === undefined
      ? languageByFunctionWords(text) !== undefined
      : isInLanguage(text, source.language);
  }

  /**
   * Returns true if the question seems to be about another document than that of `source`. In that
   * case, a passage of the other document contains all question terms that `source` contains. It
   * also contains a name from the question that is in no passage of the document of `source`.
   */
  #isOfOther(source: SourcePassage): boolean {
    const { terms } = this.#analysis;
    const anchors = terms.flatMap(({ exact }, at) => (exact ? [at] : []));
    if (anchors.length === 0) return false;
    const own = this.#termsOf(source);
    const missing = anchors.filter(
      (anchor) => !this.#sources.some((each) => isOneDocument(each, source) && this.#termsOf(each).has(anchor)),
    );
    return missing.some((anchor) =>
      this.#sources.some((other) => {
        const said = this.#termsOf(other);
        return !isOneDocument(other, source) && said.has(anchor) && [...own].every((term) => said.has(term));
      }),
    );
  }

  /**
   * Returns the indices of the question terms that occur in the passage, its title, its headings,
   * its name or its path.
   */
  #termsOf(source: SourcePassage): ReadonlySet<number> {
    let terms = this.#terms.get(source);
    if (!terms) {
      const { text, title, headings, name, path } = source.passage;
      terms = this.#termsIn([text, title, ...headings, name, path].join("\n"));
      this.#terms.set(source, terms);
    }
    return terms;
  }
}

const isOneDocument = (a: SourcePassage, b: SourcePassage): boolean =>
  a.passage.name === b.passage.name && a.passage.path === b.passage.path;
