/**
 * Runs extraction, classification and grounding in threads, so that no document blocks the event
 * loop.
 */
import { setImmediate } from "node:timers/promises";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../reading/document.ts";
import type { PageAssessment } from "../classify/page-assessment.ts";
import type {
  Classification,
  ClassifyRequest,
  DocumentEngine,
  Extraction,
  ExtractRequest,
  LearnRequest,
  Proposals,
  ProposeRequest,
} from "../engine.ts";
import type { Assessment } from "../extract/assessment.ts";
import type { GroundedRecord } from "../ground/ground-record.ts";
import type { QuotePlace, SegmentQuote } from "../ground/segment-quotes.ts";
import type { LearnResult } from "../memory.ts";
import type { DocumentMessage, DocumentResult, ThreadTask } from "./document-thread.ts";
import { ThreadPool } from "./thread-pool.ts";

export interface BuiltinEngineSettings {
  /** Maximum number of documents that are processed at once. */
  threads: number;
  /**
   * Maximum processing time of a document, in milliseconds. After that, the thread is terminated,
   * and the promise is rejected. Default: 60,000.
   */
  deadlineMs?: number;
}

const defaultDeadlineMs = 60_000;
/**
 * Number of words that are posted to a thread before the event loop gets a turn. Pages are cloned
 * one by one.
 */
const wordsPerTurn = 2_000;

/**
 * The built-in engine, with additional tasks for extraction and classification by a language model.
 * These tasks run in threads too, because grounding takes as long as extraction.
 */
export interface BuiltinEngine extends DocumentEngine {
  /**
   * Extracts the fields. For each field, also assesses whether its value is certain, and where else
   * the value may be.
   * @throws EngineFailure
   */
  assess(request: Pick<ExtractRequest, "document" | "params" | "memory">, signal: AbortSignal): Promise<Assessment>;
  /**
   * Applies the memory in the request to the values that a language model extracted.
   * @throws EngineFailure
   */
  recall(request: ExtractRequest, extraction: Extraction, signal: AbortSignal): Promise<Extraction>;
  /**
   * Grounds each answer of a model in the document.
   * @param seen numbers of the pages that the model saw as images
   * @throws EngineFailure
   */
  ground(
    document: Document,
    params: readonly ExtractionParam[],
    answers: readonly unknown[],
    seen: readonly number[],
    signal: AbortSignal,
  ): Promise<GroundedRecord[]>;
  /**
   * Classifies the document, and determines which text of each page a language model may see.
   * @throws EngineFailure
   */
  assessPages(request: ClassifyRequest, signal: AbortSignal): Promise<PageAssessment>;
  /**
   * Finds each quote in the document. The result is undefined for a quote that is not found.
   * @throws EngineFailure
   */
  findQuotes(
    document: Document,
    quotes: readonly SegmentQuote[],
    signal: AbortSignal,
  ): Promise<(QuotePlace | undefined)[]>;
}

/** Opens the built-in engine. Its threads are started on demand. */
export function openBuiltinEngine(settings: BuiltinEngineSettings): BuiltinEngine {
  return new ThreadedEngine(settings);
}

class ThreadedEngine implements BuiltinEngine {
  readonly #pool: ThreadPool<DocumentMessage, DocumentResult>;

  constructor({ threads, deadlineMs = defaultDeadlineMs }: BuiltinEngineSettings) {
    const program = new URL("./document-thread.ts", import.meta.url);
    this.#pool = new ThreadPool({ program, threads, deadlineMs });
  }

  async extract({ document, params, memory = [] }: ExtractRequest, signal: AbortSignal): Promise<Extraction> {
    return (await this.#do(document, { kind: "extract", params, memory }, signal)) as Extraction;
  }

  async assess(
    { document, params, memory = [] }: Pick<ExtractRequest, "document" | "params" | "memory">,
    signal: AbortSignal,
  ): Promise<Assessment> {
    return (await this.#do(document, { kind: "assess", params, memory }, signal)) as Assessment;
  }

  async recall({ document, params, memory = [] }: ExtractRequest, extraction: Extraction, signal: AbortSignal) {
    return (await this.#do(document, { kind: "recall", params, memory, extraction }, signal)) as Extraction;
  }

  async learn({ document, ...request }: LearnRequest, signal: AbortSignal): Promise<LearnResult> {
    return (await this.#do(document, { kind: "learn", ...request }, signal)) as LearnResult;
  }

  async classify(request: ClassifyRequest, signal: AbortSignal): Promise<Classification> {
    const { document, filename, classes, mode } = request;
    return (await this.#do(document, { kind: "classify", filename, classes, mode }, signal)) as Classification;
  }

  async propose({ document, filename, kinds }: ProposeRequest, signal: AbortSignal): Promise<Proposals> {
    return (await this.#do(document, { kind: "propose", filename, kinds }, signal)) as Proposals;
  }

  async assessPages(
    { document, filename, classes, mode }: ClassifyRequest,
    signal: AbortSignal,
  ): Promise<PageAssessment> {
    return (await this.#do(document, { kind: "assessPages", filename, classes, mode }, signal)) as PageAssessment;
  }

  async findQuotes(
    document: Document,
    quotes: readonly SegmentQuote[],
    signal: AbortSignal,
  ): Promise<(QuotePlace | undefined)[]> {
    return (await this.#do(document, { kind: "quotes", quotes }, signal)) as (QuotePlace | undefined)[];
  }

  async ground(
    document: Document,
    params: readonly ExtractionParam[],
    answers: readonly unknown[],
    seen: readonly number[],
    signal: AbortSignal,
  ): Promise<GroundedRecord[]> {
    return (await this.#do(document, { kind: "ground", params, answers, seen }, signal)) as GroundedRecord[];
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #do(document: Document, task: ThreadTask, signal: AbortSignal): Promise<DocumentResult> {
    return this.#pool.run((send) => post(send, document, task, signal), signal);
  }
}

/** Posts the document page by page. Cloning all of it at once would block the event loop. */
async function post(
  send: (message: DocumentMessage) => void,
  { pages, ...head }: Document,
  task: ThreadTask,
  signal: AbortSignal,
): Promise<void> {
  send({ kind: "begin", document: head, task });
  let words = 0;
  for (const page of pages) {
    send({ kind: "page", page });
    words += page.words.length;
    if (words < wordsPerTurn) continue;
    words = 0;
    await setImmediate();
    if (signal.aborted) return;
  }
  send({ kind: "end" });
}
