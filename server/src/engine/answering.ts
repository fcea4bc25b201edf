/**
 * The types of questions and answers, and the interface of the component that answers from
 * passages.
 */

import type { EngineName } from "@sheaf/contract/agents.ts";
import type { FallbackJson } from "@sheaf/contract/fallback.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../reading/document.ts";
import type { Evidence } from "./engine.ts";
import type { Meter } from "./meter.ts";

/** One message of a conversation. */
export interface Turn {
  role: "user" | "assistant";
  content: string;
}

export interface AskRequest {
  query: string;
  /** Instructions of the request. They take precedence over `consignes`. */
  instructions: readonly string[];
  /** Instructions of the agent. */
  consignes: readonly string[];
  /** Messages of the conversation, oldest first, without the query itself. */
  historic: readonly Turn[];
}

/**
 * The question, resolved against its conversation. It is plain data, so that it can be posted to
 * worker threads.
 */
export interface Question {
  query: string;
  /**
   * Words that the query leaves out and that were taken from the conversation. Empty if the query
   * is complete.
   */
  context: string;
  /** Text that is used to search for passages. */
  searchText: string;
  /** Set if the question asks for a field of a business document. */
  field?: QuestionField;
  /** True if the question asks for a document, such as "Which document mentions a broken strap?" */
  asksForDocument: boolean;
  /** Language of the question, ISO 639-1. */
  language: string;
  wishes: AnswerWishes;
}

/**
 * A question that asks for a field of a document. "What is the total of invoice 4711?" asks for
 * "total".
 */
export interface QuestionField {
  /** The field as extraction knows it. */
  param: ExtractionParam;
  /**
   * Text for a second search if `searchText` finds no answer. It contains the words for the field
   * in all languages.
   */
  widerText: string;
  /** Names in the question that say whose document is meant, folded. May be empty. */
  owners: readonly string[];
}

/** A value of a document that may answer the question. */
export interface Fact {
  evidence: Evidence;
  /** Features in the order of `factFeatureNames`. */
  features: Float32Array;
}

/** The facts of one document. */
export interface DocumentFacts {
  /** Index of a passage of the document. */
  passage: number;
  facts: readonly Fact[];
}

/** A fact as the source of an answer. */
export interface FactSource {
  /** Index of a passage that belongs to the document. */
  passage: number;
  evidence: Evidence;
}

/** What instructions and consignes demand of the answer. */
export interface AnswerWishes {
  /** Maximum number of words, separated by white space. */
  words: number;
  /** Maximum number of quotes. */
  sentences: number;
  /** Language of the fixed sentences, ISO 639-1. Quotes stay in the language of their document. */
  language: string;
  /** Phrases that no quote may contain. */
  avoid: string[];
  /** Text to return if the documents contain no answer. It replaces the fixed sentence. */
  noAnswer?: string;
}

/** A passage that a search returned. */
export interface PassageText {
  /** Lines, separated by "\n". */
  text: string;
  title: string;
  /** Headings above the passage, outermost first. */
  headings: readonly string[];
  /** File name and path of the document. */
  name: string;
  path: string;
  /** Retrieval score, comparable only among the passages of one search. */
  score: number;
}

/**
 * Part of an answer: a quote of a passage, a model's sentence supported by quotes, or a fixed
 * sentence.
 */
export interface AnswerPart {
  /** Separator from the previous part: "", a space, or a line break. */
  before: string;
  text: string;
  /**
   * The quotes or facts that support the text or, without a model, from which the text is copied.
   * Empty for a fixed sentence.
   */
  sources: (PassageSpan | FactSource)[];
}

/** Span of a passage's text, in UTF-16 units. */
export interface PassageSpan {
  passage: number;
  start: number;
  end: number;
}

export interface Answer {
  /** If false, the passages contain no answer, and the parts are a fixed sentence or empty. */
  found: boolean;
  /** Probability that the answer is correct, 0 to 1. */
  confidence: number;
  parts: AnswerPart[];
}

/** The documents that a question is answered from. */
export interface Corpus<Passage extends PassageText> {
  /** Returns the best passages for a search text, best first. */
  findPassages(searchText: string): Promise<Passage[]>;
  /**
   * Returns one passage without text for each document, or undefined if the corpus has many
   * documents.
   */
  listIfFew(): Promise<Passage[] | undefined>;
  /**
   * Reads, from one document, the values that may answer the question.
   * @param passages passages of the document, best first
   */
  readFacts(passages: readonly Passage[], question: Question): Promise<Fact[]>;
}

export interface AnswerRequest<Passage extends PassageText> {
  request: AskRequest;
  /** Question that `understand` returned for the request. */
  question: Question;
  corpus: Corpus<Passage>;
  /** Budget hook for language model calls. If it is absent, no language model is called. */
  meter?: Meter;
  /** Engine to use, as set for the agent. If undefined, the setting of the installation applies. */
  engine?: EngineName | undefined;
}

export interface CorpusAnswer<Passage extends PassageText> {
  answer: Answer;
  /** The passages that the sources of the answer refer to. */
  passages: Passage[];
  /**
   * Set if the language model was needed but failed. The answer then comes from the built-in
   * engine.
   */
  fallback?: FallbackJson;
}

/** Parts emitted together, and the passages that their sources refer to. */
export interface StreamedParts<Passage extends PassageText> {
  parts: AnswerPart[];
  passages: readonly Passage[];
}

/**
 * Stream of the parts of an answer. After each yield the receiver calls `next(true)` if it sent the
 * parts, or `next(false)` if it dropped them because their documents were deleted.
 */
export type AnswerStream<Passage extends PassageText> = AsyncGenerator<StreamedParts<Passage>, void, boolean>;

/**
 * Answers from passages with the built-in engine. Aborting a signal ends the work and rejects the
 * promise with the signal's reason.
 */
export interface Answerer {
  /** @throws EngineFailure */
  understand(request: AskRequest, signal: AbortSignal): Promise<Question>;
  /**
   * Selects up to three documents from which facts are read, best first. Returns the indices of
   * each document's passages.
   * @throws EngineFailure
   */
  documentsToRead(question: Question, passages: readonly PassageText[], signal: AbortSignal): Promise<number[][]>;
  /**
   * Reads, from the pages of a document, the values that may answer the question.
   * @throws EngineFailure
   */
  readFacts(document: Document, question: Question, signal: AbortSignal): Promise<Fact[]>;
  /**
   * Answers the question. `passages` are the best matches for `question.searchText`, about twenty.
   * `facts` are the facts of the documents that `documentsToRead` selected, in the same order.
   * @throws EngineFailure
   */
  answer(
    question: Question,
    passages: readonly PassageText[],
    facts: readonly DocumentFacts[],
    signal: AbortSignal,
  ): Promise<Answer>;
  /**
   * Returns the sentences and lines that are likely to hold the answer, in the order of the
   * passages.
   * @throws EngineFailure
   */
  likelySpans(question: Question, passages: readonly PassageText[], signal: AbortSignal): Promise<PassageSpan[]>;
  close(): Promise<void>;
}
