/** The built-in engine as the service uses it: extraction and classification in threads, so that no document holds up the event loop. */
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { FairQueue, type Turn } from "../../lib/fair-queue.ts";
import type { Document } from "../../reading/document.ts";
import {
  type Classification,
  type ClassifyRequest,
  type Engine,
  EngineFailure,
  type Extraction,
  type ExtractRequest,
} from "../engine.ts";
import type { PageSurvey } from "../model/classify/page-survey.ts";
import type { QuotePlace, SegmentQuote } from "../model/classify/quotes.ts";
import type { GroundedRecord } from "../model/ground.ts";
import type { Reply, Request, Result, Task } from "./engine-thread.ts";
import type { Survey } from "./survey.ts";

export interface BuiltinEngineSettings {
  /** How many documents are worked on at once. */
  threads: number;
  /** A thread that takes longer for one document is ended; the work rejects. */
  deadlineMs?: number;
}

const defaultDeadlineMs = 60_000;
const maxThreadHeapMb = 1024;
/** Pages are cloned one by one, and the event loop gets its turn between so many words. */
const wordsPerTurn = 2_000;

/** What a language model says is checked in the threads too: it takes as long as an extraction. */
export interface BuiltinEngine extends Engine {
  /** An extraction with what a language model needs to complete it. @throws EngineFailure */
  survey(document: Document, params: readonly ExtractionParam[], signal: AbortSignal): Promise<Survey>;
  /** What of each answer to the params is found again in the document. `seen`: numbers of the pages that were shown as pictures. @throws EngineFailure */
  ground(
    document: Document,
    params: readonly ExtractionParam[],
    answers: readonly unknown[],
    seen: readonly number[],
    signal: AbortSignal,
  ): Promise<GroundedRecord[]>;
  /** Its classification, with what it knows of each page. @throws EngineFailure */
  surveyPages(request: ClassifyRequest, signal: AbortSignal): Promise<PageSurvey>;
  /** Where each quote stands in the document; undefined where it doesn't. @throws EngineFailure */
  findQuotes(
    document: Document,
    quotes: readonly SegmentQuote[],
    signal: AbortSignal,
  ): Promise<(QuotePlace | undefined)[]>;
}

/** Threads start with the first documents that need them. */
export function openBuiltinEngine(settings: BuiltinEngineSettings): BuiltinEngine {
  return new ThreadedEngine(settings);
}

interface Job {
  document: Document;
  task: Task;
  signal: AbortSignal;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

class ThreadedEngine implements BuiltinEngine {
  readonly #threads: number;
  readonly #deadlineMs: number;
  readonly #queue = new FairQueue<Job>();
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #running = 0;
  #closed = false;

  constructor(settings: BuiltinEngineSettings) {
    this.#threads = Math.max(1, settings.threads);
    this.#deadlineMs = settings.deadlineMs ?? defaultDeadlineMs;
  }

  async extract({ document, params }: ExtractRequest, signal: AbortSignal): Promise<Extraction> {
    return (await this.#do(document, { kind: "extract", params }, signal)) as Extraction;
  }

  async survey(document: Document, params: readonly ExtractionParam[], signal: AbortSignal): Promise<Survey> {
    return (await this.#do(document, { kind: "survey", params }, signal)) as Survey;
  }

  async classify(request: ClassifyRequest, signal: AbortSignal): Promise<Classification> {
    const { document, filename, classes, mode } = request;
    return (await this.#do(document, { kind: "classify", filename, classes, mode }, signal)) as Classification;
  }

  async surveyPages({ document, filename, classes, mode }: ClassifyRequest, signal: AbortSignal): Promise<PageSurvey> {
    return (await this.#do(document, { kind: "surveyPages", filename, classes, mode }, signal)) as PageSurvey;
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

  async #do(document: Document, task: Task, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    if (this.#closed) throw closedError();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const job: Job = { document, task, signal, resolve, reject };
    const leave = () => {
      if (this.#queue.delete(job)) reject(signal.reason);
    };
    signal.addEventListener("abort", leave);
    this.#queue.add(job);
    this.#serve();
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.clear()) job.reject(closedError());
    await Promise.all([...this.#all].map((thread) => thread.terminate()));
  }

  #serve(): void {
    while (this.#running < this.#mostRunning && !this.#closed) {
      const turn = this.#queue.next();
      if (turn === undefined) return;
      this.#running++;
      this.#take(turn);
    }
  }

  /** One thread more while a single tenant has all of them and another one waits: nobody waits behind somebody else's documents. */
  get #mostRunning(): number {
    return this.#threads + (this.#queue.isCrowdedOut(this.#threads) ? 1 : 0);
  }

  #take(turn: Turn<Job>): void {
    const thread = this.#idle.pop() ?? this.#start();
    this.#run(thread, turn.item).finally(() => {
      turn.release();
      this.#running--;
      if (this.#idle.length > this.#threads) void this.#idle.pop()?.terminate();
      this.#serve();
    });
  }

  #start(): Worker {
    const thread = new Worker(new URL("./engine-thread.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxThreadHeapMb },
    });
    // An idle thread doesn't keep the process alive; `close` ends it.
    thread.unref();
    this.#all.add(thread);
    // Without a listener an error of an idle thread would end the process.
    thread.on("error", () => {});
    thread.once("exit", () => {
      this.#all.delete(thread);
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return thread;
  }

  /** Settles the job; a thread that failed it isn't used again. */
  async #run(thread: Worker, job: Job): Promise<void> {
    try {
      const reply = await this.#ask(thread, job);
      if (reply.kind === "failed") throw new EngineFailure(`The engine failed: ${reply.message}`);
      this.#idle.push(thread);
      job.resolve(reply.result);
    } catch (error) {
      await thread.terminate();
      job.reject(error);
    }
  }

  #ask(thread: Worker, { document, task, signal }: Job): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", aborted);
        thread.off("message", replied);
        thread.off("error", failed);
        thread.off("exit", exited);
        thread.unref();
        act();
      };
      const aborted = () => settle(() => reject(signal.reason));
      const replied = (reply: Reply) => settle(() => resolve(reply));
      const failed = (error: Error) => settle(() => reject(new EngineFailure("The thread failed.", { cause: error })));
      const exited = () => settle(() => reject(this.#closed ? closedError() : new EngineFailure("The thread ended.")));
      const timer = setTimeout(
        () => failed(new Error(`The deadline of ${this.#deadlineMs} ms is over.`)),
        this.#deadlineMs,
      );
      if (signal.aborted) return aborted();
      thread.ref();
      signal.addEventListener("abort", aborted, { once: true });
      thread.on("message", replied);
      thread.once("error", failed);
      thread.once("exit", exited);
      post(thread, document, task, signal).catch((error) => settle(() => reject(error)));
    });
  }
}

/** Sends the document in parts, so that cloning it never holds the event loop for long. */
async function post(thread: Worker, { pages, ...head }: Document, task: Task, signal: AbortSignal): Promise<void> {
  const send = (message: Request) => thread.postMessage(message);
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

const closedError = (): EngineFailure => new EngineFailure("The engine is closed.");
