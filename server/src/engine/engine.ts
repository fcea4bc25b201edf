/** The interface of what understands documents, and the types of evidence. */

import type { EngineName } from "@sheaf/contract/agents.ts";
import type { ClassInputJson, ClassificationMode } from "@sheaf/contract/classification.ts";
import type { FallbackJson } from "@sheaf/contract/fallback.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Box, Document } from "../reading/document.ts";
import type { Meter } from "./meter.ts";

/** A value as the contract gives it: text as written, a number, a boolean, a date as YYYY-MM-DD; null where the document has none. */
export type LeafValue = string | number | boolean | null;
export type Value = LeafValue | ValueRecord[];
/** One element of a list, or the whole result: keyed by param name. */
export interface ValueRecord {
  [name: string]: Value;
}

export interface Evidence {
  /** From 1. */
  page: number;
  /** One box for each run of words on one line. The words inside the boxes, in order, are the quote. */
  boxes: Box[];
  /** Whole words of the page, joined by single spaces. */
  quote: string;
  /** exact: the value stands in the quote letter by letter; normalized: it does after reading number, date or white space; inferred: it follows from the quote. */
  match: "exact" | "normalized" | "inferred";
  /** 0 to 1: the chance that the value is right. */
  confidence: number;
}
export type EvidenceValue = Evidence | null | EvidenceRecord[];
/** Same shape as the data that it is the evidence of. */
export interface EvidenceRecord {
  [name: string]: EvidenceValue;
}

/** All evidence in it, of the elements of lists too. */
export function leavesOf(found: EvidenceValue): Evidence[] {
  if (found === null) return [];
  return Array.isArray(found) ? found.flatMap((row) => Object.values(row)).flatMap(leavesOf) : [found];
}

export interface ExtractRequest {
  document: Document;
  params: readonly ExtractionParam[];
  /** Who pays for what a language model does. Only where it is given one is asked. */
  meter?: Meter;
  /** Of the agent whose work it is; else the installation's. */
  engine?: EngineName | undefined;
  /**
   * A page (from 1) as it looks, as PNG of so many pixels from left to right at most; resolves to undefined where it can't be shown. Absent for
   * formats whose pages have no look.
   */
  pageImage?: ((page: number, maxWidth: number, signal: AbortSignal) => Promise<Uint8Array | undefined>) | undefined;
}

export interface Extraction {
  /** Every param is a key; a value that is not in the document is null, an absent list is []. */
  data: ValueRecord;
  evidence: EvidenceRecord;
  /** Language model tokens consumed; 0 for the built-in engine. */
  tokens: number;
  /** The language model was needed and failed; the result rests on the built-in engine. */
  fallback?: FallbackJson;
}

export interface ClassifyRequest {
  document: Document;
  /** As sent, with its extension. */
  filename: string;
  /** The classes to choose from; where it is empty, or none of them fits, classes are discovered. */
  classes: readonly ClassInputJson[];
  mode: ClassificationMode;
  /** Who pays for what a language model does. Only where it is given one is asked. */
  meter?: Meter;
  /** What does the work; else the installation's. */
  engine?: EngineName | undefined;
}

/** A run of pages that is one document. */
export interface ClassifiedSegment {
  /** First and last page, from 1, both inclusive. */
  start: number;
  end: number;
  /** A given class, as it was given, or a discovered one. */
  label: string;
  /** Words of the first page, joined by single spaces; empty where the page has none. */
  title: string;
  /** 0 to 1: the chance that the label is right. */
  confidence: number;
}

/** A class that was not given. */
export interface FoundClass {
  label: string;
  description: string;
  /** The pages that bear it, ascending, from 1. */
  pages: number[];
}

export interface Classification {
  /** They cover every page of the document once, in order. */
  segments: ClassifiedSegment[];
  /** In the order of their first pages. */
  discoveredClasses: FoundClass[];
  /** Language model tokens consumed; 0 for the built-in engine. */
  tokens: number;
  /** The language model was needed and failed; the result is the built-in engine's. */
  fallback?: FallbackJson;
}

/** The engine gave up on a document: it takes more time or memory than one may. */
export class EngineFailure extends Error {
  override readonly name = "EngineFailure";
}

/** Extracts data from documents and classifies them. */
export interface DocumentEngine {
  /**
   * Extracts the params from the document. Aborting `signal` ends the work within a second and rejects with its reason.
   * @throws EngineFailure
   */
  extract(request: ExtractRequest, signal: AbortSignal): Promise<Extraction>;
  /**
   * Splits the file into documents and classifies each. Aborting `signal` ends the work within a second and rejects
   * with its reason.
   * @throws EngineFailure
   */
  classify(request: ClassifyRequest, signal: AbortSignal): Promise<Classification>;
  close(): Promise<void>;
}

/** Every capability. What does the work, the built-in engine or a language model, is decided per request. */
export interface Engine extends DocumentEngine {
  /** Resolves a question against its conversation. @throws EngineFailure */
  understand(request: AskRequest, signal: AbortSignal): Promise<Question>;
  /**
   * Answers from the corpus of the request. Rejects with what the corpus throws.
   * @throws EngineFailure; ModelFailure if the model is asked alone.
   */
  answer<Passage extends PassageText>(
    request: AnswerRequest<Passage>,
    signal: AbortSignal,
  ): Promise<CorpusAnswer<Passage>>;
  /**
   * Yields the answer part by part while a language model writes it. Resolves to undefined if the whole answer is
   * known at once: call `answer` then. Throws as `answer` does.
   */
  stream<Passage extends PassageText>(
    request: AnswerRequest<Passage>,
    signal: AbortSignal,
  ): Promise<AnswerStream<Passage> | undefined>;
}

/** One message of a conversation. */
export interface Turn {
  role: "user" | "assistant";
  content: string;
}

export interface AskRequest {
  query: string;
  /** Of the request; they go before `consignes`. */
  instructions: readonly string[];
  /** Of the agent, as text. */
  consignes: readonly string[];
  /** Oldest first, without the query itself. */
  historic: readonly Turn[];
}

/** What is asked, once the conversation before is understood. Plain data. */
export interface Question {
  query: string;
  /** What the query leaves out and the conversation before says; empty where it stands alone. */
  context: string;
  /** What passages should be searched for. */
  searchText: string;
  /** The field of a business document that is asked for, if it is one. */
  field?: QuestionField;
  /** ISO 639-1, of the question. */
  language: string;
  wishes: AnswerWishes;
}

/** "What is the total of invoice 4711?" asks for the field "total" of a document. */
export interface QuestionField {
  /** To be extracted from the documents that `documentsToRead` names. */
  param: ExtractionParam;
  /** To be searched for where `searchText` finds no answer: the words for the field in all languages. */
  widerText: string;
  /** Names that say whose paper it stands in, folded; empty where none is told. */
  owners: readonly string[];
}

/** What an extraction of the question's field found. */
export interface FieldValue {
  /** Index of a passage of the document. */
  passage: number;
  evidence: Evidence;
}

/** How the answer should be, as far as instructions and consignes say so. */
export interface AnswerWishes {
  /** At most so many words, as white space parts them. */
  words: number;
  /** At most so many quotes. */
  sentences: number;
  /** ISO 639-1 of the fixed sentences; quotes stay in the language of their document. */
  language: string;
  /** Nothing is quoted that holds one of these. */
  avoid: string[];
  /** To be said instead of the fixed sentence where the documents hold no answer. */
  noAnswer?: string;
}

/** A passage that retrieval found, best first. */
export interface PassageText {
  /** Lines parted by "\n". */
  text: string;
  title: string;
  /** Innermost last. */
  headings: readonly string[];
  /** File name and path of the document. */
  name: string;
  path: string;
  /** Compared with the other passages of one search alone. */
  score: number;
}

/** A piece of an answer: a quote of a passage, a sentence that rests on quotes, or a fixed sentence. */
export interface AnswerPart {
  /** What goes between the part before and this one: "", a space, a line break. */
  before: string;
  text: string;
  /** Where the text stands, letter by letter, or the quotes that it rests on; none for a fixed sentence. */
  sources: (PassageSpan | FieldValue)[];
}

/** Span of a passage's text, in UTF-16 units. */
export interface PassageSpan {
  passage: number;
  start: number;
  end: number;
}

export interface Answer {
  /** False where the passages hold no answer; the parts then say so. */
  found: boolean;
  /** 0 to 1: the chance that the answer is right. */
  confidence: number;
  parts: AnswerPart[];
}

/** The documents that a question is answered from. */
export interface Corpus<Passage extends PassageText> {
  /** Returns the best passages for a search text, best first. */
  findPassages(searchText: string): Promise<Passage[]>;
  /** Returns one empty passage per document if the corpus has only a few documents, otherwise undefined. */
  listIfFew(): Promise<Passage[] | undefined>;
  /** Extracts a field from the document of a passage. */
  readField(passage: Passage, param: ExtractionParam): Promise<Evidence | undefined>;
}

export interface AnswerRequest<Passage extends PassageText> {
  request: AskRequest;
  /** As `understand` returned it for the request. */
  question: Question;
  corpus: Corpus<Passage>;
  /** Budget hook for calls of a language model. Without it, none is asked. */
  meter?: Meter;
  /** Setting of the agent; the installation's if undefined. */
  engine?: EngineName | undefined;
}

export interface CorpusAnswer<Passage extends PassageText> {
  answer: Answer;
  /** The passages that the sources of the answer refer to. */
  passages: Passage[];
  /** The language model was needed and failed; the answer is the built-in engine's. */
  fallback?: FallbackJson;
}

/** Parts that are said together, and the passages that their sources refer to. */
export interface StreamedParts<Passage extends PassageText> {
  parts: AnswerPart[];
  passages: readonly Passage[];
}

/** `next(false)` rejects the parts before, because their documents are gone: they have not been said. */
export type AnswerStream<Passage extends PassageText> = AsyncGenerator<StreamedParts<Passage>, void, boolean>;

/** Answers questions from passages of documents. Aborting a signal ends the work and rejects with its reason. */
export interface Answerer {
  /** @throws EngineFailure */
  understand(request: AskRequest, signal: AbortSignal): Promise<Question>;
  /**
   * Indices of passages, one for each document that `question.field` should be extracted from, best first; at most three.
   * @throws EngineFailure
   */
  documentsToRead(question: Question, passages: readonly PassageText[], signal: AbortSignal): Promise<number[]>;
  /**
   * `passages`: about twenty of the best for `question.searchText`. `fields`: in the order of `documentsToRead`.
   * @throws EngineFailure
   */
  answer(
    question: Question,
    passages: readonly PassageText[],
    fields: readonly FieldValue[],
    signal: AbortSignal,
  ): Promise<Answer>;
  /**
   * Where in the passages an answer may stand: sentences and lines in the order of the passages.
   * @throws EngineFailure
   */
  likelySpans(question: Question, passages: readonly PassageText[], signal: AbortSignal): Promise<PassageSpan[]>;
  close(): Promise<void>;
}
