/**
 * A pool of worker threads. A thread runs one job at a time. If the job exceeds its deadline, the
 * thread is terminated.
 */
import { Worker } from "node:worker_threads";
import { FairQueue, type HeldItem } from "../../lib/fair-queue.ts";
import { EngineFailure } from "../engine.ts";

/** The message that a thread posts at the end of a job. */
export type Reply<Result> = { kind: "done"; result: Result } | { kind: "failed"; message: string };

export interface ThreadPoolSettings {
  /** Script that every thread runs. */
  program: URL;
  /** Maximum number of threads. They are started on demand. */
  threads: number;
  /**
   * Maximum duration of a job, in milliseconds, measured from its start in a thread. After that,
   * the thread is terminated, and the promise of the job is rejected.
   */
  deadlineMs: number;
}

/** Function that sends the messages of a job to its thread. */
export type Post<Message> = (send: (message: Message) => void, signal: AbortSignal) => void | Promise<void>;

interface ThreadJob<Message, Result> {
  post: Post<Message>;
  signal: AbortSignal;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

const maxThreadHeapMb = 1024;

export class ThreadPool<Message, Result> {
  readonly #settings: ThreadPoolSettings;
  readonly #queue = new FairQueue<ThreadJob<Message, Result>>();
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #running = 0;
  #closed = false;

  constructor(settings: ThreadPoolSettings) {
    this.#settings = settings;
  }

  /**
   * Runs a job in the first thread that is free. If `signal` aborts, the thread is terminated, and
   * the promise is rejected with the reason of `signal`.
   * @throws EngineFailure
   */
  async run(post: Post<Message>, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    if (this.#closed) throw closedError();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const job: ThreadJob<Message, Result> = { post, signal, resolve, reject };
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

  get #threads(): number {
    return Math.max(1, this.#settings.threads);
  }

  /**
   * Maximum number of running jobs. If a single tenant holds all threads and another tenant waits,
   * one more thread is allowed, so that no tenant can block another.
   */
  get #mostRunning(): number {
    return this.#threads + (this.#queue.isCrowdedOut(this.#threads) ? 1 : 0);
  }

  #take(turn: HeldItem<ThreadJob<Message, Result>>): void {
    const thread = this.#idle.pop() ?? this.#start();
    this.#run(thread, turn.item).finally(() => {
      turn.release();
      this.#running--;
      if (this.#idle.length > this.#threads) void this.#idle.pop()?.terminate();
      this.#serve();
    });
  }

  #start(): Worker {
    const thread = new Worker(this.#settings.program, { resourceLimits: { maxOldGenerationSizeMb: maxThreadHeapMb } });
    // An idle thread does not keep the process alive. `close` ends it.
    thread.unref();
    this.#all.add(thread);
    // Without a listener, an error in an idle thread would end the process.
    thread.on("error", () => {});
    thread.once("exit", () => {
      this.#all.delete(thread);
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return thread;
  }

  /** Runs a job and settles its promise. If the job failed, its thread is not used again. */
  async #run(thread: Worker, job: ThreadJob<Message, Result>): Promise<void> {
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

  #ask(thread: Worker, { post, signal }: ThreadJob<Message, Result>): Promise<Reply<Result>> {
    const { deadlineMs } = this.#settings;
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
      const replied = (reply: Reply<Result>) => settle(() => resolve(reply));
      const failed = (error: Error) => settle(() => reject(new EngineFailure("The thread failed.", { cause: error })));
      const exited = () => settle(() => reject(this.#closed ? closedError() : new EngineFailure("The thread exited.")));
      const timer = setTimeout(() => failed(new Error(`The deadline of ${deadlineMs} ms was exceeded.`)), deadlineMs);
      if (signal.aborted) return aborted();
      thread.ref();
      signal.addEventListener("abort", aborted, { once: true });
      thread.on("message", replied);
      thread.once("error", failed);
      thread.once("exit", exited);
      Promise.resolve(post((message) => thread.postMessage(message), signal)).catch((error) =>
        settle(() => reject(error)),
      );
    });
  }
}

const closedError = (): EngineFailure => new EngineFailure("The engine is closed.");

/** Runs the work of a thread and returns the message to post. */
export function replyOf<Result>(work: () => Result): Reply<Result> {
  try {
    return { kind: "done", result: work() };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
