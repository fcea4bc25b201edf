/** Splits a file into documents and classifies each of them. Reads each page once. */

import { spellOut } from "../../language/label-tokens.ts";
import type { Page } from "../../reading/document.ts";
import type { Classification, ClassifiedSegment, ClassifyRequest, FoundClass } from "../engine.ts";
import { lookScores } from "./appearance.ts";
import { boundaryChance, featuresOfPages } from "./boundaries.ts";
import { type ChosenClass, type ClassScores, chooseLabel, joinScores } from "./choose-class.ts";
import { classScoreWeights } from "./class-weights.ts";
import { type GivenClass, readClasses, termsOfPage, wordScores } from "./given-classes.ts";
import { type KindIndex, namedKinds } from "./kind-scores.ts";
import { factsOf, type PageFacts, type ReadPage } from "./page-facts.ts";
import { stemsOf } from "./phrases.ts";

export function classifyBuiltin({ document, ...options }: ClassifyRequest): Classification {
  const classifier = new Classifier(options);
  for (const page of document.pages) classifier.add(page);
  return classifier.finish();
}

/** First and last page, 0-based, both inclusive. */
interface PageRange {
  start: number;
  end: number;
}

export interface PageOutline {
  title: string;
  blank: boolean;
  /** Probability (0–1) that a document starts at this page. */
  begins: number;
}

/** Minimum probability at which a page is taken as the start of a document. */
export const minBoundaryChance = 0.5;
const { ofDocument, ofFilename } = classScoreWeights;

/**
 * Consumes the pages of one file in order. Keeps only facts and scores of each page, so that files
 * of thousands of pages fit in memory.
 */
export class Classifier {
  readonly #mode: ClassifyRequest["mode"];
  readonly #classes: GivenClass[];
  /** Document kinds found in the filename. */
  readonly #filename: readonly KindIndex[];
  readonly #facts: PageFacts[] = [];
  readonly #evidence: ClassScores[] = [];
  #found: PageRange[] | undefined;

  constructor({ filename, classes, mode }: Omit<ClassifyRequest, "document">) {
    this.#mode = mode;
    this.#filename = namedKinds(stemsOf(spellOut(filename.replace(/\.\w+$/, "")))).map(({ value }) => value);
    this.#classes = readClasses(classes);
  }

  add(page: Page): ReadPage {
    const read = factsOf(page);
    const { facts, layout, style, evidence } = read;
    const look = lookScores(facts);
    this.#facts.push(facts);
    this.#evidence.push({
      kinds: evidence.scores.map((score, kind) => score + (look[kind] ?? 0)),
      words: this.#classes.length > 0 ? wordScores(this.#classes, termsOfPage(layout, style)) : new Float64Array(),
    });
    return read;
  }

  /**
   * Returns, for each page added so far, its title, whether it is blank, and the probability that a
   * document starts there.
   */
  get pages(): PageOutline[] {
    const chances = boundaryChances(this.#facts);
    return this.#facts.map(({ title, blank }, at) => ({ title: title.text, blank, begins: chances[at] ?? 0 }));
  }

  finish(): Classification {
    const runs = this.#runs();
    const found = new Map<string, FoundClass>();
    const segments: ClassifiedSegment[] = [];
    for (const run of runs) {
      const label = this.#labelOf(run);
      const pages = Array.from({ length: run.end - run.start + 1 }, (_, at) => run.start + at + 1);
      if (label.description !== undefined) {
        const known = found.get(label.label);
        if (known) known.pages.push(...pages);
        else found.set(label.label, { label: label.label, description: label.description, pages });
      }
      segments.push({
        start: run.start + 1,
        end: run.end + 1,
        label: label.label,
        title: this.#facts[this.#firstOf(run)]?.title.text ?? "",
        confidence: Math.round(label.confidence * 1000) / 1000,
      });
    }
    return { segments, discoveredClasses: [...found.values()], tokens: 0 };
  }

  #runs(): PageRange[] {
    const last = Math.max(0, this.#facts.length - 1);
    if (this.#mode === "document") return [{ start: 0, end: last }];
    if (this.#mode === "page") return Array.from({ length: last + 1 }, (_, page) => ({ start: page, end: page }));
    return this.#documents();
  }

  /** Returns the first page of a range that is not blank. */
  #firstOf({ start, end }: PageRange): number {
    for (let page = start; page <= end; page++) if (!this.#facts[page]?.blank) return page;
    return start;
  }

  /**
   * Combines the scores of a page with those of its document, because pages after the first rarely
   * name their kind.
   */
  #withDocument(evidence: ClassScores, page: number): ClassScores {
    const document = this.#documents().find(({ start, end }) => start <= page && page <= end);
    if (!document) return evidence;
    const whole = joinScores(this.#evidence.slice(this.#firstOf(document), document.end + 1));
    const mix = (own: Float64Array, of: Float64Array) =>
      own.map((score, at) => (1 - ofDocument) * score + ofDocument * (of[at] ?? 0));
    return { kinds: mix(evidence.kinds, whole.kinds), words: mix(evidence.words, whole.words) };
  }

  #documents(): PageRange[] {
    this.#found ??= findDocuments(this.#facts);
    return this.#found;
  }

  #labelOf(run: PageRange): ChosenClass {
    const first = this.#firstOf(run);
    const facts = this.#facts[first];
    if (!facts) return { label: "document", description: "A document without pages.", confidence: 0 };
    const evidence = joinScores(this.#evidence.slice(first, run.end + 1));
    // The filename counts too if the whole file is one document.
    if (this.#mode !== "page" && run.start === 0 && run.end >= this.#facts.length - 1)
      for (const kind of this.#filename) evidence.kinds[kind] = (evidence.kinds[kind] ?? 0) + ofFilename;
    return chooseLabel(this.#classes, this.#mode === "page" ? this.#withDocument(evidence, first) : evidence, facts);
  }
}

/** Returns the page range of each document. Blank pages belong to the document before them. */
export function findDocuments(facts: readonly PageFacts[]): PageRange[] {
  const starts = boundaryChances(facts).flatMap((chance, at) => (at === 0 || chance >= minBoundaryChance ? [at] : []));
  if (starts.length === 0) starts.push(0);
  return starts.map((start, index) => ({ start, end: (starts[index + 1] ?? Math.max(1, facts.length)) - 1 }));
}

/**
 * Returns the probability for each page that a document starts there. It is 0 for the first page
 * and for blank pages.
 */
const boundaryChances = (facts: readonly PageFacts[]): number[] =>
  featuresOfPages(facts).map((features) => (features ? boundaryChance(features) : 0));
