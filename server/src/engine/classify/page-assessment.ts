/** What the built-in engine knows of a file before a language model is asked: its own result, and of each page what a model may be shown. */
import type { Page } from "../../reading/document.ts";
import type { Classification, ClassifyRequest } from "../engine.ts";
import { Classifier, type PageOutline } from "./classify-pages.ts";
import { tellingText } from "./telling-text.ts";

export interface AssessedPage extends PageOutline {
  /** What tells of the page; undefined where some of it speaks to a language model, which is then not shown it. */
  telling: string | undefined;
}

export interface PageAssessment {
  /** What the built-in engine says. */
  builtin: Classification;
  /** In their order. */
  pages: AssessedPage[];
}

/** Takes the pages of one file in their order. */
export class PageAssessor {
  readonly #classifier: Classifier;
  readonly #telling: (string | undefined)[] = [];

  constructor(options: Omit<ClassifyRequest, "document">) {
    this.#classifier = new Classifier(options);
  }

  add(page: Page): void {
    const read = this.#classifier.add(page);
    this.#telling.push(read.speaksToModel ? undefined : tellingText(read));
  }

  finish(): PageAssessment {
    const pages = this.#classifier.pages.map((page, at) => ({ ...page, telling: this.#telling[at] }));
    return { builtin: this.#classifier.finish(), pages };
  }
}
