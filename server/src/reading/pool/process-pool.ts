/** Pool of reading processes: a few processes, a fair queue, and limits that hold for any file. */
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
  /** Ends the turn of the tenant that acquired it. */
  release: Turn<unknown>["release"];
}

/**
 * Largest file that can be read, as a share of the process memory: PDFium keeps a copy of the file
 * beside ours.
 */
const maxFilePart = 1 / 4;

/**
 * Tenants take turns; the reads of one tenant start in the order of their calls, background reads
 * after all others. If all processes are busy and a background read or a single tenant holds them,
 * one extra process serves the others that wait. So no tenant waits behind a long queue of another
 * tenant's documents.
 */
export class ProcessPool implements ProcessReader {
  readonly #settings: ReadingSettings;
  readonly #idle: ReadingProcess[] = [];
  readonly #all = new Set<ReadingProcess>();
  readonly #foreground = new FairQueue<Waiting>();
  readonly #background = new FairQueue<Waiting>();
  readonly #readings = new Set<ReadingSession>();
  /** Acquired processes, and how many of them are acquired by background reads. */
  #lent = 0;
  #inBackground = 0;
  #started = 0;
  #killed = 0;
  #closed = false;
  /** True if the last process that was started exited before it was ready. */
  #broken = false;
  /** True while the pool is idle: processes that exit are not replaced. */
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
      // Resolve before the processes have closed the document: the caller need not wait for that.
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
      const late = () => process.stop(new ReadingError("timeout", "Rendering the page took too long."));
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

  /** Acquires a process, opens the file and passes both to `use`. */
  async #withFile<T>(
    path: string,
    { signal, background = false }: { signal?: AbortSignal | undefined; background?: boolean },
    use: (process: ReadingProcess, file: FileHandle, bytes: number) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      // Acquire the process first. A file opened while waiting would hold a descriptor, and faster
      // opens would overtake it in the queue.
      const { process, release } = await this.#take(signal, background);
      try {
        await using file = await open(path);
        const { size } = await file.stat();
        if (size === 0) throw new ReadingError("empty", "The file is empty.");
        if (size > this.#settings.maxMemoryBytes * maxFilePart) {
          throw new ReadingError("too_complex", "The file is too large to be read.");
        }
        // A process that exited meanwhile would never respond, and its exit is not the file's
        // fault.
        if (process.fit) return await use(process, file, size);
      } finally {
        release();
        this.#lent--;
        if (background) this.#inBackground--;
        this.#give(process);
      }
    }
  }

  /** Acquires a process from the pool for exclusive use. */
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

  /** True if a read is waiting for which one extra process may be started. */
  get #needsSpare(): boolean {
    if (this.#foreground.size === 0) return false;
    return this.#inBackground > 0 || this.#foreground.isCrowdedOut(this.#settings.processes);
  }

  /** Removes the next read from the queues; undefined if no queued read may have a process now. */
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

  /** Gives idle processes to waiting reads; those left over help with long documents. */
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

  /** Stops the idle processes, unless other processes are in use. */
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

  /** Asks one session to release a process that only helps it. */
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

  /**
   * Replaces a process that had been ready. One that can't even start is not replaced, or the pool
   * would restart it endlessly.
   */
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

/**
 * Retries once if a process was killed from outside. Background reads are not retried here: their
 * job retries with a crash count.
 */
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
