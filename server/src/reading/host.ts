/** The host of the reading processes: a small pool, a queue, and limits that hold whatever the file does. */
import { type FileHandle, open } from "node:fs/promises";
import type { Document } from "./document.ts";
import { checkPageImageRequest } from "./page-image-request.ts";
import {
  type PageImage,
  type PageImageRequest,
  type ReadableExtension,
  type Reader,
  ReadingError,
  type ReadingSettings,
  type ReadOptions,
  type RenderableExtension,
} from "./reader.ts";
import { ReadingProcess } from "./reading-process.ts";

export const defaultReadingSettings: ReadingSettings = {
  processes: 2,
  maxMemoryBytes: 768 * 2 ** 20,
  maxPages: 5000,
  deadlineMs: { base: 20_000, perPage: 50, perRecognizedPage: 30_000 },
  recognition: { languages: ["eng", "deu", "fra"] },
};

export interface ProcessReader extends Reader {
  /**
   * Starts all processes and resolves when they are ready, in about a quarter of a second. Without it the first read starts one, and
   * a service that wants its first request as fast as any other calls it at start-up.
   */
  warm(): Promise<void>;
}

interface Waiting {
  start: (process: ReadingProcess) => void;
  fail: (error: unknown) => void;
}

/** The library keeps a copy of the file beside ours, so a larger file than this part of the memory can't be read. */
const maxFilePart = 1 / 4;

/** Reads are started in the order of their calls. */
export function openReader(settings: ReadingSettings): ProcessReader {
  return new Host(settings);
}

class Host implements ProcessReader {
  readonly #settings: ReadingSettings;
  readonly #idle: ReadingProcess[] = [];
  readonly #all = new Set<ReadingProcess>();
  readonly #queue: Waiting[] = [];
  #closed = false;

  constructor(settings: ReadingSettings) {
    this.#settings = settings;
  }

  read(path: string, extension: ReadableExtension, options: ReadOptions = {}): Promise<Document> {
    return this.#withFile(path, options.signal, (process, file, size) => process.read(file, extension, size, options));
  }

  async renderPage(
    path: string,
    extension: RenderableExtension,
    request: PageImageRequest,
    { signal }: Pick<ReadOptions, "signal"> = {},
  ): Promise<PageImage> {
    checkPageImageRequest(request);
    return this.#withFile(path, signal, (process, file, size) =>
      process.render(file, extension, size, request, signal),
    );
  }

  async warm(): Promise<void> {
    while (this.#living() < this.#settings.processes) this.#start();
    await Promise.all([...this.#all].map((process) => process.ready));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#queue.splice(0)) waiting.fail(closedError());
    for (const process of this.#all) process.stop(closedError());
    await Promise.all([...this.#all].map((process) => process.ended));
  }

  /** Lends a process and the opened file to `use`. */
  async #withFile<T>(
    path: string,
    signal: AbortSignal | undefined,
    use: (process: ReadingProcess, file: FileHandle, bytes: number) => Promise<T>,
  ): Promise<T> {
    // The process comes first: a file that is opened while it waits would hold a descriptor, and lose its turn to one opened faster.
    const process = await this.#take(signal);
    try {
      await using file = await open(path);
      const { size } = await file.stat();
      if (size === 0) throw new ReadingError("empty", "The file is empty.");
      if (size > this.#settings.maxMemoryBytes * maxFilePart) {
        throw new ReadingError("too_complex", "The file is too large to be read.");
      }
      return await use(process, file, size);
    } finally {
      this.#give(process);
    }
  }

  /** A process of one's own, as soon as one is free. */
  #take(signal: AbortSignal | undefined): Promise<ReadingProcess> {
    if (this.#closed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      const settled = () => signal?.removeEventListener("abort", leave);
      const waiting: Waiting = {
        start: (process) => {
          settled();
          resolve(process);
        },
        fail: (error) => {
          settled();
          reject(error);
        },
      };
      signal?.addEventListener("abort", leave);
      this.#queue.push(waiting);
      if (this.#idle.length === 0 && this.#living() < this.#settings.processes) this.#start();
      this.#serve();
    });
  }

  #give(process: ReadingProcess): void {
    if (process.fit) this.#idle.push(process);
    else process.stop(closedError());
    this.#serve();
  }

  #serve(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const process = this.#idle.pop();
      if (process?.fit) this.#queue.shift()?.start(process);
    }
  }

  #living(): number {
    return [...this.#all].filter((process) => process.fit).length;
  }

  #start(): void {
    const process = new ReadingProcess(this.#settings);
    this.#all.add(process);
    let wasReady = false;
    process.ready.then(
      () => {
        wasReady = true;
        this.#give(process);
      },
      () => {},
    );
    process.ended.then(() => this.#ended(process, wasReady));
  }

  /** A process that had been ready is replaced at once. One that can't even start is not, or the host would start them without end. */
  #ended(process: ReadingProcess, wasReady: boolean): void {
    this.#all.delete(process);
    if (this.#closed) return;
    if (wasReady) {
      if (this.#living() < this.#settings.processes) this.#start();
    } else if (this.#living() === 0) {
      for (const waiting of this.#queue.splice(0)) waiting.fail(new Error("No reading process can be started."));
    }
  }
}

const closedError = (): Error => new Error("The reader is closed.");
