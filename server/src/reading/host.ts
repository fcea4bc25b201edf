/** The host of the reading processes: a small pool, a queue, and limits that hold whatever the file does. */
import { type FileHandle, open } from "node:fs/promises";
import { FairQueue, type Turn } from "../lib/fair-queue.ts";
import type { Document, Page } from "./document.ts";
import { documentOf } from "./finished-document.ts";
import { checkPageImageRequest } from "./page-image-request.ts";
import {
  type PageImage,
  type PageImageRequest,
  type PagesRead,
  type ReadableExtension,
  type Reader,
  ReadingError,
  type ReadingSettings,
  type ReadOptions,
  type ReadPagesOptions,
  type RenderableExtension,
} from "./reader.ts";
import { ReadingProcess } from "./reading-process.ts";
import { ReadingUnderWay } from "./reading-under-way.ts";
import { RenderingUnderWay } from "./rendering-under-way.ts";

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
  /** Whether any process is there to read. */
  isAlive(): boolean;
  load(): ReadingLoad;
}

export interface ReadingLoad {
  /** Processes that read, or start. */
  busy: number;
  idle: number;
  /** Files that wait for a process. */
  waiting: number;
  /** Processes since the beginning, and how many of them broke down or had to be killed. */
  started: number;
  killed: number;
}

interface Waiting {
  start: (lent: LentProcess) => void;
  fail: (error: unknown) => void;
}

interface LentProcess {
  process: ReadingProcess;
  /** Ends the turn of the tenant that it was lent to. */
  release: Turn<unknown>["release"];
}

/** The library keeps a copy of the file beside ours, so a larger file than this part of the memory can't be read. */
const maxFilePart = 1 / 4;

/**
 * Tenants take turns, and the reads of one start in the order of their calls; those in the background come after all others. If all
 * processes are busy and the background has some of them, or a single tenant has all, one more is started for others who wait, and kept
 * while that lasts: nobody waits behind a pile of somebody else's documents.
 */
export function openReader(settings: ReadingSettings): ProcessReader {
  return new Host(settings);
}

class Host implements ProcessReader {
  readonly #settings: ReadingSettings;
  readonly #idle: ReadingProcess[] = [];
  readonly #all = new Set<ReadingProcess>();
  readonly #foreground = new FairQueue<Waiting>();
  readonly #background = new FairQueue<Waiting>();
  readonly #readings = new Set<ReadingUnderWay>();
  /** Processes that were lent, and those of them to the background. */
  #lent = 0;
  #inBackground = 0;
  #started = 0;
  #killed = 0;
  #closed = false;

  constructor(settings: ReadingSettings) {
    this.#settings = settings;
  }

  async read(path: string, extension: ReadableExtension, options: ReadOptions = {}): Promise<Document> {
    const pages: Page[] = [];
    const onPage = (page: Page): void => void pages.push(page);
    const details = await this.readPages(path, extension, { ...options, onPage });
    return documentOf(extension, details, pages);
  }

  readPages(path: string, extension: ReadableExtension, options: ReadPagesOptions): Promise<PagesRead> {
    const { promise, resolve, reject } = Promise.withResolvers<PagesRead>();
    const free = this.#withFile(path, options, async (process, handle, bytes) => {
      const reading = new ReadingUnderWay({ handle, bytes, extension }, this.#settings, options, () => this.#serve());
      this.#readings.add(reading);
      // Whoever reads need not wait until the processes have closed the document.
      reading.result.then(resolve, () => {});
      try {
        const stop = (reason: unknown) => reading.fail(reason);
        return await abortable(reading.result, stop, options.signal, reading.join(process));
      } finally {
        this.#readings.delete(reading);
        await reading.left;
      }
    });
    free.catch(reject);
    return promise;
  }

  async renderPage(
    path: string,
    extension: RenderableExtension,
    request: PageImageRequest,
    { signal }: Pick<ReadOptions, "signal"> = {},
  ): Promise<PageImage> {
    checkPageImageRequest(request);
    const { maxPages, deadlineMs } = this.#settings;
    return this.#withFile(path, { signal }, (process, file, bytes) => {
      const late = () => process.stop(new ReadingError("timeout", "Making the picture took too long."));
      const rendering = new RenderingUnderWay(deadlineMs.base, late);
      const free = process.run({ kind: "render", extension, bytes, maxPages, request }, file, rendering);
      return abortable(rendering.result, (reason) => process.stop(reason), signal, free);
    });
  }

  async warm(): Promise<void> {
    while (this.#living() < this.#settings.processes) this.#start();
    await Promise.all([...this.#all].map((process) => process.ready));
  }

  isAlive(): boolean {
    return !this.#closed && this.#living() > 0;
  }

  load(): ReadingLoad {
    const idle = this.#idle.filter((process) => process.fit).length;
    const [busy, waiting] = [this.#living() - idle, this.#foreground.size + this.#background.size];
    return { busy, idle, waiting, started: this.#started, killed: this.#killed };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#failAll(closedError());
    for (const process of this.#all) process.stop(closedError());
    await Promise.all([...this.#all].map((process) => process.ended));
  }

  /** Lends a process and the opened file to `use`. */
  async #withFile<T>(
    path: string,
    { signal, background = false }: { signal?: AbortSignal | undefined; background?: boolean },
    use: (process: ReadingProcess, file: FileHandle, bytes: number) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      // The process comes first: a file that is opened while it waits would hold a descriptor, and lose its turn to one opened faster.
      const { process, release } = await this.#take(signal, background);
      try {
        await using file = await open(path);
        const { size } = await file.stat();
        if (size === 0) throw new ReadingError("empty", "The file is empty.");
        if (size > this.#settings.maxMemoryBytes * maxFilePart) {
          throw new ReadingError("too_complex", "The file is too large to be read.");
        }
        // One that has died meanwhile would never answer, and its end is not the file's fault.
        if (process.fit) return await use(process, file, size);
      } finally {
        release();
        this.#lent--;
        if (background) this.#inBackground--;
        this.#give(process);
      }
    }
  }

  /** A process of one's own, as soon as one is free. */
  #take(signal: AbortSignal | undefined, background: boolean): Promise<LentProcess> {
    if (this.#closed) return Promise.reject(closedError());
    const queue = background ? this.#background : this.#foreground;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = () => {
        queue.delete(waiting);
        reject(signal?.reason);
      };
      const settled = () => signal?.removeEventListener("abort", leave);
      const waiting: Waiting = {
        start: (lent) => {
          settled();
          this.#lent++;
          if (background) this.#inBackground++;
          resolve(lent);
        },
        fail: (error) => {
          settled();
          reject(error);
        },
      };
      signal?.addEventListener("abort", leave);
      queue.add(waiting);
      this.#serve();
      if (this.#foreground.size + this.#background.size > 0) this.#callBack();
    });
  }

  #give(process: ReadingProcess): void {
    const isNeeded = this.#inBackground > 0 || this.#foreground.size > 0;
    const isSpare = this.#living() > this.#settings.processes && !isNeeded;
    if (process.fit && !isSpare) this.#idle.push(process);
    else if (process.fit) process.retire();
    else process.stop(closedError());
    this.#serve();
  }

  /** Whether somebody waits for whom one process more may be started. */
  get #needsSpare(): boolean {
    if (this.#foreground.size === 0) return false;
    return this.#inBackground > 0 || this.#foreground.isCrowdedOut(this.#settings.processes);
  }

  /** Takes out of the queues whose turn it is; undefined if there is nobody for whom there may be a process. */
  #next(): Turn<Waiting> | undefined {
    const { processes } = this.#settings;
    const isFull = this.#lent >= processes;
    if (!isFull || this.#needsSpare) {
      const next = this.#foreground.next();
      if (next) return next;
    }
    const mayBegin = this.#inBackground < processes && (!isFull || this.#inBackground > 0);
    return mayBegin ? this.#background.next() : undefined;
  }

  /** Idle processes go to the readings that wait, and those that nobody waits for help with long documents. */
  #serve(): void {
    for (let process = this.#idle.pop(); process; process = this.#idle.pop()) {
      if (!process.fit) continue;
      const turn = this.#next();
      if (turn) turn.item.start({ process, release: turn.release });
      else {
        this.#idle.push(process);
        break;
      }
    }
    const isWanted = this.#foreground.size + this.#background.size > 0;
    const long = [...this.#readings].filter((reading) => reading.canShare);
    if (!isWanted && (long.length === 0 || this.#living() > this.#settings.processes)) return;
    for (const reading of long) {
      const process = this.#idle.pop();
      if (process?.fit) void reading.join(process).then(() => this.#give(process));
    }
    const most = this.#settings.processes + (this.#needsSpare ? 1 : 0);
    if (this.#idle.length === 0 && this.#living() < most) this.#start();
  }

  /** Asks for a process that only helps. */
  #callBack(): void {
    for (const reading of this.#readings) if (reading.giveBack()) return;
  }

  #failAll(error: Error): void {
    for (const queue of [this.#foreground, this.#background]) for (const waiting of queue.clear()) waiting.fail(error);
  }

  #living(): number {
    return [...this.#all].filter((process) => process.fit).length;
  }

  #start(): void {
    const process = new ReadingProcess(this.#settings);
    this.#all.add(process);
    this.#started++;
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
    if (!process.isRetired) this.#killed++;
    if (wasReady) {
      if (this.#living() < this.#settings.processes) this.#start();
    } else if (this.#living() === 0) {
      this.#failAll(new Error("No reading process can be started."));
    }
  }
}

const closedError = (): Error => new Error("The reader is closed.");

/** Waits for `result`, which `stop` ends early, and then until the process is free. */
async function abortable<T>(
  result: Promise<T>,
  stop: (reason: unknown) => void,
  signal: AbortSignal | undefined,
  free: Promise<void>,
): Promise<T> {
  const onAbort = () => stop(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  try {
    return await result;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await free;
  }
}
