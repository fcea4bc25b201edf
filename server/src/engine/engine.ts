/** The interface of the engine, with the types of values and evidence. */

import type { EngineName } from "@sheaf/contract/agents.ts";
import type { ClassInputJson, ClassificationMode } from "@sheaf/contract/classification.ts";
import type { listReasons } from "@sheaf/contract/extraction-result.ts";
import type { FallbackJson } from "@sheaf/contract/fallback.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Box, Document } from "../reading/document.ts";
import type {
  AnswerRequest,
  AnswerStream,
  AskRequest,
  CorpusAnswer,
  Fact,
  PassageText,
  Question,
} from "./answering.ts";
import type { LearnedPaper, LearnResult, TaughtPaper } from "./memory.ts";
import type { Meter } from "./meter.ts";

/**
 * A value as the contract defines it: text as written, number, boolean, or date as YYYY-MM-DD. It
 * is null if not found.
 */
export type LeafValue = string | number | boolean | null;
export type Value = LeafValue | ValueRecord[];
/** One element of a list, or the whole result, keyed by field name. */
export interface ValueRecord {
  [name: string]: Value;
}

export interface Evidence {
  /** Page number. The first page is 1. */
  page: number;
  /**
   * One box per line. A line whose box would contain words that are not quoted has one box per word
   * instead. The words inside the boxes, in order, are the quote. All words of a bar code have the
   * same box, but the quote contains only the words of the value.
   */
  boxes: Box[];
  /** Whole words of the page, joined by single spaces. */
  quote: string;
  /**
   * exact: the quote contains the value letter by letter. normalized: it contains the value once
   * numbers, dates and white space are normalized. inferred: the value follows from the quote.
   */
  match: "exact" | "normalized" | "inferred";
  /** Probability that the value is correct, 0 to 1. */
  confidence: number;
}
export type EvidenceValue = Evidence | null | EvidenceRecord[];
/**
 * Evidence with the same structure as the data: one entry per field and, in lists, one record per
 * element.
 */
export interface EvidenceRecord {
  [name: string]: EvidenceValue;
}

/** Returns all evidence, including that of list elements. */
export function leavesOf(found: EvidenceValue): Evidence[] {
  if (found === null) return [];
  return Array.isArray(found) ? found.flatMap((row) => Object.values(row)).flatMap(leavesOf) : [found];
}

export interface ExtractRequest {
  document: Document;
  params: readonly ExtractionParam[];
  /** Budget hook for language model calls. If it is absent, no language model is called. */
  meter?: Meter;
  /** Engine to use, as set for the agent. If undefined, the setting of the installation applies. */
  engine?: EngineName | undefined;
  /**
   * Renders a page (from 1) as PNG, at most `maxWidth` pixels wide. Resolves to undefined if
   * rendering fails. Absent for formats without fixed pages.
   */
  pageImage?: ((page: number, maxWidth: number, signal: AbortSignal) => Promise<Uint8Array | undefined>) | undefined;
  /** Documents from which the extractor has learned, oldest first. */
  memory?: readonly LearnedPaper[];
}

/** Reason why a line or row of a list should be reviewed. */
export type ListReason = (typeof listReasons)[number];

/** A line of the document with the reason why it is listed. */
export interface ListLine {
  page: number;
  boxes: Box[];
  quote: string;
  reason: ListReason;
}

/**
 * Classifies every line that belongs to a list: as a returned row, as another known kind of line
 * such as a sum, or as unreadable.
 */
export interface ListLedger {
  /** Name of the list field. */
  name: string;
  /**
   * `rowsSeen` counts the lines that look like rows. `rowsGiven` counts those of them that were
   * returned.
   */
  rowsSeen: number;
  rowsGiven: number;
  /**
   * Number of lines that are not rows, by kind: headings, sums, amounts carried over from another
   * page, and notes.
   */
  skipped: { heading: number; sum: number; carried: number; note: number };
  /** Lines that look like rows but were not returned as rows. */
  unreadable: ListLine[];
  /** Returned rows that contradict other rows, for example in a sum. */
  doubts: ListLine[];
}

/** A field whose value was set by a learned document. */
export interface RecalledField {
  field: string;
  /** Id of the learned document. */
  paper: string;
}

export interface Extraction {
  /**
   * Has a key for every field. A value that is not in the document is null, and a list that is not
   * in it is [].
   */
  data: ValueRecord;
  evidence: EvidenceRecord;
  /** One ledger for each list that the built-in engine read. */
  lists?: ListLedger[];
  /** Number of language model tokens used. 0 if only the built-in engine was used. */
  tokens: number;
  /**
   * Set if the language model was needed but failed. The result then comes from the built-in
   * engine.
   */
  fallback?: FallbackJson;
  /**
   * Fields whose value came from learned documents, or that learned documents show to be absent.
   * Undefined if no learned document was used.
   */
  remembered?: string[];
  /**
   * The remembered fields that would have a different value without the learned documents, each
   * with the document that determined its value. Undefined if no learned document was used.
   */
  recalled?: RecalledField[];
  /**
   * Ids of the learned documents that have the same layout as this document. Undefined if there are
   * none.
   */
  usedMemory?: string[];
}

export interface LearnRequest {
  document: Document;
  params: readonly ExtractionParam[];
  taught: TaughtPaper;
  /** Documents from which the extractor has already learned, oldest first. */
  memory: readonly LearnedPaper[];
}

export interface ClassifyRequest {
  document: Document;
  /** File name as sent by the client, with its extension. */
  filename: string;
  /** Classes to choose from. If there are none, or none of them fits, classes are discovered. */
  classes: readonly ClassInputJson[];
  mode: ClassificationMode;
  /** Budget hook for language model calls. If it is absent, no language model is called. */
  meter?: Meter;
  /**
   * Engine to use, as set in the request. If undefined, the setting of the installation applies.
   */
  engine?: EngineName | undefined;
}

/** A page range that is one document. */
export interface ClassifiedSegment {
  /** First and last page, from 1, both inclusive. */
  start: number;
  end: number;
  /** Label of a given class, as written in the request, or of a discovered class. */
  label: string;
  /** Words of the first page, joined by single spaces; empty if it has none. */
  title: string;
  /** Probability that the label is correct, 0 to 1. */
  confidence: number;
}

/** A class that is not in the request. It was created because no given class fits. */
export interface FoundClass {
  label: string;
  description: string;
  /** Pages of this class, ascending, from 1. */
  pages: number[];
}

export interface Classification {
  /** Segments that cover every page of the document exactly once, in order. */
  segments: ClassifiedSegment[];
  /** Discovered classes, ordered by their first page. */
  discoveredClasses: FoundClass[];
  /** Number of language model tokens used. 0 if only the built-in engine was used. */
  tokens: number;
  /**
   * Set if the language model was needed but failed. The result then comes from the built-in
   * engine.
   */
  fallback?: FallbackJson;
}

/** A document or question exceeded the limits on time or memory. */
export class EngineFailure extends Error {
  override readonly name = "EngineFailure";
}

/**
 * Reasons for which a language model fails:
 * - unavailable: the endpoint is down, denies access, or asks to wait longer than the remaining
 *   time.
 * - timeout: the call took too long.
 * - malformed: the response is malformed, or the endpoint refused the request because of its
 *   content.
 * - budget: the token budget of the tenant is used up.
 */
export type ModelFailureKind = FallbackJson["reason"];

/**
 * A language model failed. The message may be logged: it contains no key, no document text and no
 * model output.
 */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly kind: ModelFailureKind;

  constructor(kind: ModelFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Returns the reason why the built-in engine replaces the model, or undefined if `error` is not a
 * failure of the model.
 */
export const fallbackReason = (error: unknown): FallbackJson["reason"] | undefined =>
  error instanceof ModelFailure ? error.kind : undefined;

/** Computes embedding vectors of texts. */
export interface Embedder {
  /**
   * Returns one vector per text, in order, all with the same number of dimensions.
   * @throws ModelFailure, the reason of `signal`, or an error that `meter` threw
   */
  embed(texts: readonly string[], meter: Meter, signal: AbortSignal): Promise<Float32Array[]>;
  /** Aborts all running calls. They reject with `unavailable`. */
  close(): Promise<void>;
}

/** A document kind with its usual fields. These fields may be proposed. */
export interface KindFields {
  name: string;
  title: string;
  params: readonly ExtractionParam[];
}

export interface ProposeRequest {
  document: Document;
  filename: string;
  /** The kinds to choose from. */
  kinds: readonly KindFields[];
}

/** A field that the document seems to have, with its value there. */
export interface Proposal {
  param: ExtractionParam;
  /**
   * Label as printed. Absent if the field's name comes from a document kind or from a role such as
   * seller.
   */
  label?: string;
  /** Probability that a user would ask for this field, 0 to 1. */
  usefulness: number;
  value: Value;
  evidence: EvidenceValue;
}

export interface Proposals {
  /**
   * Name of the document kind that is most similar to the document. Null if none is similar enough.
   */
  kind: string | null;
  /** Proposals with unique names, most useful first. */
  fields: Proposal[];
  /** Number of language model tokens used. Always 0. */
  tokens: number;
}

/**
 * Extracts data from documents, learns from confirmed values, classifies documents, and proposes
 * fields.
 */
export interface DocumentEngine {
  /**
   * Extracts the fields from the document. Aborting `signal` ends the work within a second and
   * rejects the promise with the signal's reason.
   * @throws EngineFailure
   */
  extract(request: ExtractRequest, signal: AbortSignal): Promise<Extraction>;
  /**
   * Learns where the correct values of a document are. The engine stores nothing: callers keep the
   * result and pass it in the `memory` of later requests.
   * @throws EngineFailure
   */
  learn(request: LearnRequest, signal: AbortSignal): Promise<LearnResult>;
  /**
   * Splits the file into documents and classifies each of them. Aborting `signal` ends the work
   * within a second and rejects the promise with the signal's reason.
   * @throws EngineFailure
   */
  classify(request: ClassifyRequest, signal: AbortSignal): Promise<Classification>;
  /** Proposes fields for documents like this one. @throws EngineFailure */
  propose(request: ProposeRequest, signal: AbortSignal): Promise<Proposals>;
  close(): Promise<void>;
}

/** All capabilities. Each request is handled by the built-in engine or a language model. */
export interface Engine extends DocumentEngine {
  /**
   * Reads, from the pages of a document, the values that may answer a question.
   * @throws EngineFailure
   */
  readFacts(document: Document, question: Question, signal: AbortSignal): Promise<Fact[]>;
  /** Makes the question self-contained with the help of its conversation. @throws EngineFailure */
  understand(request: AskRequest, signal: AbortSignal): Promise<Question>;
  /**
   * Answers from the corpus of the request. Rejects with errors that the corpus throws.
   * @throws EngineFailure; ModelFailure if only the model may answer.
   */
  answer<Passage extends PassageText>(
    request: AnswerRequest<Passage>,
    signal: AbortSignal,
  ): Promise<CorpusAnswer<Passage>>;
  /**
   * Returns a stream that yields the parts of the answer while a language model writes them.
   * Resolves to undefined if the whole answer is known at once. The caller then calls `answer`.
   * Throws the same errors as `answer`.
   */
  stream<Passage extends PassageText>(
    request: AnswerRequest<Passage>,
    signal: AbortSignal,
  ): Promise<AnswerStream<Passage> | undefined>;
}
