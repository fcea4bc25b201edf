/** The host of the reading processes: a small pool, a queue, and limits that hold whatever the file does. */
import { type FileHandle, open } from "node:fs/promises";
import { FairQueue, type Turn } from "../../lib/fair-queue.ts";
import { IdleTimer } from "../../lib/idle-timer.ts";
import type { Document, Page } from "../document.ts";
import { documentOf } from "../document-of-pages.ts";
import {
  type PageImage,
  type PageImageRequest,
  type PagesRead,
  type ProcessReader,
  type ReadableExtension,
  ReadingError,
  ReadingInterrupted,
  type ReadingLoad,
  type ReadingSettings,
  type ReadOptions,
  type ReadPagesOptions,
  type RenderableExtension,
} from "../reader.ts";
import { checkPageImageRequest } from "./page-image-request.ts";
import { ReadingProcess } from "./reading-process.ts";
import { ReadingSession } from "./reading-session.ts";
import { RenderingSession } from "./rendering-session.ts";

interface Waiting {
  start: (lent: AcquiredProcess) => void;
  fail: (error: unknown) => void;
}

interface AcquiredProcess {
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
export class ProcessPool implements ProcessReader {
  readonly #settings: ReadingSettings;
  readonly #idle: ReadingProcess[] = [];
  readonly #all = new Set<ReadingProcess>();
  readonly #foreground = new FairQueue<Waiting>();
  readonly #background = new FairQueue<Waiting>();
  readonly #readings = new Set<ReadingSession>();
  /** Processes that were lent, and those of them to the background. */
  #lent = 0;
  #inBackground = 0;
  #started = 0;
  #killed = 0;
  #closed = false;
  /** The last process that was started ended before it was ready. */
  #broken = false;
  /** Processes that end are not replaced: there has been nothing to read for a while. */
  #resting = true;
  readonly #rest: IdleTimer;

  constructor(settings: ReadingSettings) {
    this.#settings = settings;
    this.#rest = new IdleTimer(settings.restMs, () => this.#endIdle());
  }

  async read(path: string, extension: ReadableExtension, options: ReadOptions = {}): Promise<Document> {
    return onceMore(options, async () => {
      const pages: Page[] = [];
      const onPage = (page: Page): void => void pages.push(page);
      const details = await this.readPages(path, extension, { ...options, onPage });
      return documentOf(extension, details, pages);
    });
  }

  readPages(path: string, extension: ReadableExtension, options: ReadPagesOptions): Promise<PagesRead> {
    const { promise, resolve, reject } = Promise.withResolvers<PagesRead>();
    const free = this.#withFile(path, options, async (process, handle, bytes) => {
      const reading = new ReadingSession({ handle, bytes, extension }, this.#settings, options, () => this.#serve());
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
    const render = (process: ReadingProcess, file: FileHandle, bytes: number) => {
      const late = () => process.stop(new ReadingError("timeout", "Making the picture took too long."));
      const rendering = new RenderingSession(deadlineMs.base, late);
      const free = process.run({ kind: "render", extension, bytes, maxPages, request }, file, rendering);
      return abortable(rendering.result, (reason) => process.stop(reason), signal, free);
    };
    return onceMore({}, () => this.#withFile(path, { signal }, render));
  }

  async warm(): Promise<void> {
    this.#wake();
    while (this.#living() < this.#settings.processes) this.#start();
    await Promise.all([...this.#all].map((process) => process.ready));
  }

  async probe(): Promise<void> {
    if (this.#living() > 0) return;
    this.#start();
    const [process] = this.#all;
    await process?.ready;
    if (this.#resting) this.#endIdle();
  }

  isAlive(): boolean {
    return !this.#closed && (this.#living() > 0 || !this.#broken);
  }

  load(): ReadingLoad {
    const idle = this.#idle.filter((process) => process.fit).length;
    const [busy, waiting] = [this.#living() - idle, this.#waiting()];
    return { busy, idle, waiting, started: this.#started, killed: this.#killed };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rest.stop();
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
  #take(signal: AbortSignal | undefined, background: boolean): Promise<AcquiredProcess> {
    if (this.#closed) return Promise.reject(closedError());
    const queue = background ? this.#background : this.#foreground;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      this.#wake();
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
      if (this.#waiting() > 0) this.#reclaim();
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
    const isWanted = this.#waiting() > 0;
    const long = [...this.#readings].filter((reading) => reading.canShare);
    if (!isWanted && (long.length === 0 || this.#living() > this.#settings.processes)) return;
    for (const reading of long) {
      const process = this.#idle.pop();
      if (process?.fit) void reading.join(process).then(() => this.#give(process));
    }
    const most = this.#settings.processes + (this.#needsSpare ? 1 : 0);
    if (this.#idle.length === 0 && this.#living() < most) this.#start();
  }

  #waiting(): number {
    return this.#foreground.size + this.#background.size;
  }

  #wake(): void {
    this.#resting = false;
    this.#rest.restart();
  }

  /** Ends the processes that nobody uses, unless some are in use. */
  #endIdle(): void {
    const idle = this.#idle.filter((process) => process.fit);
    if (this.#waiting() > 0 || idle.length < this.#living()) {
      this.#rest.restart();
      return;
    }
    this.#resting = true;
    this.#idle.length = 0;
    for (const process of idle) process.retire();
  }

  /** Asks for a process that only helps. */
  #reclaim(): void {
    for (const reading of this.#readings) if (reading.release()) return;
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
        this.#broken = false;
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
      if (!this.#resting && this.#living() < this.#settings.processes) this.#start();
      return;
    }
    this.#broken = true;
    if (this.#living() === 0) this.#failAll(new Error("No reading process can be started."));
  }
}

/** Whoever waits need not know that a process was ended from outside; in the background the job is tried again, with care. */
async function onceMore<T>({ background }: Pick<ReadOptions, "background">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (background || !(error instanceof ReadingInterrupted)) throw error;
    return await work();
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
