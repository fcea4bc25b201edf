/** Whether a unit of a passage is about what was asked, so that it may be said in answer to it. */

import { languageByFunctionWords } from "../../language/function-words.ts";
import { knownLanguage } from "../../language/question-languages.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import { type Analysis, analyse } from "../answer/analyze-question.ts";
import { holds } from "../answer/answer-types.ts";
import { type Matcher, matcherOf } from "../answer/match-terms.ts";
import type { Question } from "../engine.ts";
import { type AskedField, readAskedFields } from "../extract/labels/asked-fields.ts";
import { isDisguised, isInstruction } from "./instructions.ts";
import { isInLanguage } from "./sentence-language.ts";
import type { SourcePassage } from "./source-passage.ts";
import { fitsSomewhere } from "./value-forms.ts";

/** Answers to questions of other types have no form. */
const minHeld = 0.4;
/** How well a text must name a field, if it says no word of the question. */
const minLabel = 0.4;

export class Relevance {
  readonly #question: Question;
  readonly #analysis: Analysis;
  readonly #match: Matcher;
  /** The field of a business document that is asked for, if it is one. */
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

  /** True if the text, a unit of `source`, may be said in answer to the question. */
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

  /** Says no word of the question: then it has the form of the answer, or nothing but the language of its document to speak against it. */
  #mayAnswerUnnamed(text: string, source: SourcePassage): boolean {
    const { type, words } = this.#analysis;
    const span = { text, tokens: wordTokensOf(text) };
    const isOfForm = type !== undefined && type !== "person" && type !== "place";
    if (isOfForm) return holds(type, span, words, knownLanguage(this.#question.language)) >= minHeld;
    return source.language === undefined
      ? languageByFunctionWords(text) !== undefined
      : isInLanguage(text, source.language);
  }

  /** True if the question names what another document is about, and this one is not, and the other says as much of the rest. */
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

  /** Indices of the question's terms that the passage, its headings or its name say. */
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
