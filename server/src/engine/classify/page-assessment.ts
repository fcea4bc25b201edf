/**
 * Assesses a file before the language model is called. The assessment consists of the built-in
 * classification and, for each page, the text that the model may see.
 */
import type { Page } from "../../reading/document.ts";
import type { Classification, ClassifyRequest } from "../engine.ts";
import { Classifier, type PageOutline } from "./classify-pages.ts";
import { identifyingText } from "./identifying-text.ts";

export interface AssessedPage extends PageOutline {
  /**
   * Excerpt of the page for the language model. Undefined if the page contains a prompt injection.
   */
  identifyingText: string | undefined;
}

export interface PageAssessment {
  /** Result of the built-in engine. */
  builtin: Classification;
  /** Ordered by page. */
  pages: AssessedPage[];
}

/** Consumes the pages of one file in order. */
export class PageAssessor {
  readonly #classifier: Classifier;
  readonly #identifyingTexts: (string | undefined)[] = [];

  constructor(options: Omit<ClassifyRequest, "document">) {
    this.#classifier = new Classifier(options);
  }

  add(page: Page): void {
    const read = this.#classifier.add(page);
    this.#identifyingTexts.push(read.hasPromptInjection ? undefined : identifyingText(read));
  }

  finish(): PageAssessment {
    const pages = this.#classifier.pages.map((page, at) => ({ ...page, identifyingText: this.#identifyingTexts[at] }));
    return { builtin: this.#classifier.finish(), pages };
  }
}
