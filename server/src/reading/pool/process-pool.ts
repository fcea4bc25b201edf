/** Pool of reading processes: few processes, a fair queue, and limits that hold for every file. */
import { type FileHandle, open } from "node:fs/promises";
import { FairQueue, type HeldItem } from "../../lib/fair-queue.ts";
import { IdleTimer } from "../../lib/idle-timer.ts";
import type { Document, Page } from "../document.ts";
import { documentOf } from "../document-of-pages.ts";
import {
  type PageImage,
  type PageImageRequest,
  type PageRange,
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
import { findConfinement } from "./confinement.ts";
import { type CopyOrder, isPageImage, type ProcessMessage, type RenderOrder } from "./messages.ts";
import { checkPageImageRequest, checkPageRange } from "./page-image-request.ts";
import { ReadingProcess } from "./reading-process.ts";
import { ReadingSession } from "./reading-session.ts";
import { SingleResultTask } from "./single-result-task.ts";

interface Waiting {
  start: (acquired: AcquiredProcess) => void;
  fail: (error: unknown) => void;
}

interface AcquiredProcess {
  process: ReadingProcess;
  /** Ends the turn of the tenant that acquired the process. */
  release: HeldItem<unknown>["release"];
}

/**
 * Maximum size of a file that can be read, as a share of the memory of a process. It is small
 * because the process holds two copies of the file: ours and PDFium's.
 */
const maxFilePart = 1 / 4;

/**
 * Pool of reading processes that the tenants share. Tenants take turns. The reads of one tenant
 * start in the order of their calls, and background reads start after all others. If background
 * reads or a single tenant keep all processes busy, one extra process serves the other waiting
 * reads. So no tenant waits behind a long queue of another tenant's documents.
 */
export class ProcessPool implements ProcessReader {
  readonly #settings: ReadingSettings;
  readonly #idle: ReadingProcess[] = [];
  readonly #all = new Set<ReadingProcess>();
  readonly #foreground = new FairQueue<Waiting>();
  readonly #background = new FairQueue<Waiting>();
  readonly #sessions = new Set<ReadingSession>();
  /** Number of processes that reads have acquired and not yet released. */
  #acquired = 0;
  /** Number of processes that background reads have acquired and not yet released. */
  #acquiredInBackground = 0;
  #started = 0;
  #killed = 0;
  #closed = false;
  /** True if the last process that was started exited before it was ready. */
  #broken = false;
  /** True while the pool is idle. Processes that exit then are not replaced. */
  #isIdle = true;
  readonly #idleTimer: IdleTimer;

  constructor(settings: ReadingSettings) {
    this.#settings = settings;
    this.#idleTimer = new IdleTimer(settings.restMs, () => this.#retireIdle());
  }

  async read(path: string, extension: ReadableExtension, options: ReadOptions = {}): Promise<Document> {
    return retryOnce(options, async () => {
      const pages: Page[] = [];
      const onPage = (page: Page): void => void pages.push(page);
      const details = await this.readPages(path, extension, { ...options, onPage });
      return documentOf(extension, details, pages);
    });
  }

  readPages(path: string, extension: ReadableExtension, options: ReadPagesOptions): Promise<PagesRead> {
    const { promise, resolve, reject } = Promise.withResolvers<PagesRead>();
    const free = this.#withFile(path, options, async (process, handle, bytes) => {
      const session = new ReadingSession({ handle, bytes, extension }, this.#settings, options, () => this.#serve());
      this.#sessions.add(session);
      // Resolves before the processes have closed the document: the caller need not wait for that.
      session.result.then(resolve, () => {});
      try {
        const stop = (reason: unknown) => session.fail(reason);
        return await abortable(session.result, stop, options.signal, session.join(process));
      } finally {
        this.#sessions.delete(session);
        await session.left;
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
    const { maxPages } = this.#settings;
    const order = (bytes: number) => ({ kind: "render", extension, bytes, maxPages, request }) as const;
    return this.#runSingle(path, order, imageIn, signal);
  }

  async copyPages(path: string, range: PageRange, { signal }: Pick<ReadOptions, "signal"> = {}): Promise<Uint8Array> {
    checkPageRange(range);
    const { maxPages } = this.#settings;
    const order = (bytes: number) => ({ kind: "copy", bytes, maxPages, range }) as const;
    return this.#runSingle(path, order, copyIn, signal);
  }

  /** Runs an order to which a process responds with a single message. */
  #runSingle<T>(
    path: string,
    orderFor: (bytes: number) => RenderOrder | CopyOrder,
    resultIn: (message: ProcessMessage) => T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const run = (process: ReadingProcess, file: FileHandle, bytes: number) => {
      const late = () => process.stop(new ReadingError("timeout", "Rendering or copying the pages took too long."));
      const task = new SingleResultTask(resultIn, this.#settings.deadlineMs.base, late);
      const free = process.run(orderFor(bytes), file, task);
      return abortable(task.result, (reason) => process.stop(reason), signal, free);
    };
    return retryOnce({}, () => this.#withFile(path, { signal }, run));
  }

  async warm(): Promise<void> {
    this.#leaveIdle();
    while (this.#running() < this.#settings.processes) this.#start();
    await Promise.all([...this.#all].map((process) => process.ready));
  }

  async probe(): Promise<void> {
    // Tests first which restrictions the machine can enforce. Otherwise the start of the process
    // would run this test and block the event loop.
    await findConfinement();
    if (this.#closed || this.#running() > 0) return;
    this.#start();
    const [process] = this.#all;
    await process?.ready;
    if (this.#isIdle) this.#retireIdle();
  }

  isAlive(): boolean {
    return !this.#closed && (this.#running() > 0 || !this.#broken);
  }

  load(): ReadingLoad {
    const idle = this.#idle.filter((process) => process.fit).length;
    const [busy, waiting] = [this.#running() - idle, this.#waiting()];
    return { busy, idle, waiting, started: this.#started, killed: this.#killed };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#idleTimer.stop();
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
      // The process is acquired first. If the file were opened first, waiting reads would hold
      // descriptors, and files that open faster would overtake others in the queue.
      const { process, release } = await this.#acquire(signal, background);
      try {
        await using file = await open(path);
        const { size } = await file.stat();
        if (size === 0) throw new ReadingError("empty", "The file is empty.");
        if (size > this.#settings.maxMemoryBytes * maxFilePart) {
          throw new ReadingError("too_complex", "The file is too large to be read.");
        }
        // If the process has exited in the meantime, it would never respond. That is not the file's
        // fault, so another process is acquired.
        if (process.fit) return await use(process, file, size);
      } finally {
        release();
        this.#acquired--;
        if (background) this.#acquiredInBackground--;
        this.#release(process);
      }
    }
  }

  /** Acquires a process from the pool for exclusive use. */
  #acquire(signal: AbortSignal | undefined, background: boolean): Promise<AcquiredProcess> {
    if (this.#closed) return Promise.reject(closedError());
    const queue = background ? this.#background : this.#foreground;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      this.#leaveIdle();
      const leave = () => {
        queue.delete(waiting);
        reject(signal?.reason);
      };
      const settled = () => signal?.removeEventListener("abort", leave);
      const waiting: Waiting = {
        start: (acquired) => {
          settled();
          this.#acquired++;
          if (background) this.#acquiredInBackground++;
          resolve(acquired);
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

  #release(process: ReadingProcess): void {
    const isNeeded = this.#acquiredInBackground > 0 || this.#foreground.size > 0;
    const isSpare = this.#running() > this.#settings.processes && !isNeeded;
    if (process.fit && !isSpare) this.#idle.push(process);
    else if (process.fit) process.retire();
    else process.stop(closedError());
    this.#serve();
  }

  /** True if an extra process may be started for a read that is waiting. */
  get #needsSpare(): boolean {
    if (this.#foreground.size === 0) return false;
    return this.#acquiredInBackground > 0 || this.#foreground.isCrowdedOut(this.#settings.processes);
  }

  /** Removes the next read from the queues. Returns undefined if no waiting read may start now. */
  #next(): HeldItem<Waiting> | undefined {
    const { processes } = this.#settings;
    const isFull = this.#acquired >= processes;
    if (!isFull || this.#needsSpare) {
      const next = this.#foreground.next();
      if (next) return next;
    }
    const mayStart = this.#acquiredInBackground < processes && (!isFull || this.#acquiredInBackground > 0);
    return mayStart ? this.#background.next() : undefined;
  }

  /**
   * Gives idle processes to waiting reads. If processes are left over, they help to read long
   * documents.
   */
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
    const long = [...this.#sessions].filter((session) => session.canShare);
    if (!isWanted && (long.length === 0 || this.#running() > this.#settings.processes)) return;
    for (const session of long) {
      const process = this.#idle.pop();
      if (process?.fit) void session.join(process).then(() => this.#release(process));
    }
    const most = this.#settings.processes + (this.#needsSpare ? 1 : 0);
    if (this.#idle.length === 0 && this.#running() < most) this.#start();
  }

  #waiting(): number {
    return this.#foreground.size + this.#background.size;
  }

  #leaveIdle(): void {
    this.#isIdle = false;
    this.#idleTimer.restart();
  }

  /** Stops all processes if all of them are idle. Otherwise checks again later. */
  #retireIdle(): void {
    const idle = this.#idle.filter((process) => process.fit);
    if (this.#waiting() > 0 || idle.length < this.#running()) {
      this.#idleTimer.restart();
      return;
    }
    this.#isIdle = true;
    this.#idle.length = 0;
    for (const process of idle) process.retire();
  }

  /** Asks the sessions in turn to release a process, until one does. */
  #reclaim(): void {
    for (const session of this.#sessions) if (session.release()) return;
  }

  #failAll(error: Error): void {
    for (const queue of [this.#foreground, this.#background]) for (const waiting of queue.clear()) waiting.fail(error);
  }

  #running(): number {
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
        this.#release(process);
      },
      () => {},
    );
    process.ended.then(() => this.#ended(process, wasReady));
  }

  /**
   * Starts another process to replace one that had been ready. A process that failed to start is
   * not replaced, because each replacement would probably fail too.
   */
  #ended(process: ReadingProcess, wasReady: boolean): void {
    this.#all.delete(process);
    if (this.#closed) return;
    if (!process.isRetired) this.#killed++;
    if (wasReady) {
      if (!this.#isIdle && this.#running() < this.#settings.processes) this.#start();
      return;
    }
    this.#broken = true;
    if (this.#running() === 0) this.#failAll(new Error("No reading process can be started."));
  }
}

/**
 * Retries a read once if its process was killed from outside. Background reads are not retried
 * here: their job counts the crashes and retries.
 */
async function retryOnce<T>({ background }: Pick<ReadOptions, "background">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (background || !(error instanceof ReadingInterrupted)) throw error;
    return await work();
  }
}

const closedError = (): Error => new Error("The reader is closed.");

/**
 * Waits for `result`, and then until the process is free. If `signal` aborts, calls `stop`, which
 * ends the work early.
 */
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

function imageIn(message: ProcessMessage): PageImage {
  if (message.kind !== "image" || !isPageImage(message.image)) throw new TypeError("unknown message");
  return message.image;
}

function copyIn(message: ProcessMessage): Uint8Array {
  const isSound = message.kind === "copied" && message.file instanceof Uint8Array && message.file.length > 0;
  if (!isSound) throw new TypeError("unknown message");
  return message.file;
}
