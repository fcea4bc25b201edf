/**
 * Reading session: the work of one or more processes on one document. The session assigns pages to
 * processes, delivers the pages in order, and enforces the deadline.
 *
 * Each process that joins the session opens the whole file, and then gets a few pages at a time. So
 * a long document can use all free processes, and each process can be released soon. Pages far
 * ahead of the next page to deliver are not ordered yet, so that only a few pages wait in memory.
 */
import type { FileHandle } from "node:fs/promises";
import type { OutlineEntry, Page } from "../document.ts";
import {
  type PagesRead,
  type ReadableExtension,
  ReadingError,
  type ReadingSettings,
  type ReadPagesOptions,
} from "../reader.ts";
import { budgetOf } from "./budgets.ts";
import { isMetadata, isOutline, type ProcessMessage, unpackPage } from "./messages.ts";
import type { ReadingProcess, ReadingTask } from "./reading-process.ts";

/** Maximum number of pages in one order. Chosen by hand, 2026-11. */
const maxPagesPerOrder = 8;
/**
 * Number of orders that a process has at the same time. With two orders, a process does not have to
 * wait for the next one. Chosen by hand, 2026-11.
 */
const ordersAtOnce = 2;
/**
 * Number of pages in one order, as a share of the pages that are left. The share is small, so that
 * all processes finish at about the same time. Chosen by hand, 2026-11.
 */
const partPerOrder = 1 / 16;
/**
 * Maximum number of pages that may be ordered ahead of the next page to deliver. Chosen by hand,
 * 2026-11.
 */
const maxAhead = 64;
/**
 * Minimum number of pages that must be left for another process to join. Joining takes time,
 * because the process gets its own copy of the file. Chosen by hand, 2026-11.
 */
const minPagesToShare = 2;
/**
 * Interval at which the processor time is checked, in milliseconds. It is short, so that a read
 * exceeds its limit only a little. Chosen by hand, 2026-11.
 */
const cpuCheckMs = 250;

export interface FileToRead {
  handle: FileHandle;
  bytes: number;
  extension: ReadableExtension;
}

export class ReadingSession {
  /** Resolves when the last page has been delivered. */
  readonly result: Promise<PagesRead>;
  readonly #file: FileToRead;
  readonly #settings: ReadingSettings;
  readonly #options: ReadPagesOptions;
  readonly #onOpened: () => void;
  readonly #settle: { resolve: (read: PagesRead) => void; reject: (reason: unknown) => void };
  readonly #started = performance.now();
  readonly #shares = new Set<Share>();
  readonly #joined: Promise<void>[] = [];
  /** Pages that have been read but wait for earlier pages to be delivered, by page number. */
  readonly #ahead = new Map<number, Page>();
  readonly #ocrPages = new Set<number>();
  #details: { pages: number; metadata: Record<string, string>; outline: OutlineEntry[] } | undefined;
  #nextToOrder = 1;
  #nextToDeliver = 1;
  #delivering = false;
  #over = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #cpuTimer: NodeJS.Timeout;

  /** @param onOpened called when the number of pages is known */
  constructor(file: FileToRead, settings: ReadingSettings, options: ReadPagesOptions, onOpened: () => void) {
    const { promise, resolve, reject } = Promise.withResolvers<PagesRead>();
    this.result = promise;
    this.#settle = { resolve, reject };
    this.#file = file;
    this.#settings = settings;
    this.#options = options;
    this.#onOpened = onOpened;
    this.#startTimer();
    this.#cpuTimer = setInterval(() => this.#checkCpu(), cpuCheckMs);
  }

  /**
   * Makes `process` read pages until none is left or until it is released. Resolves when the
   * process is free again or has exited.
   */
  join(process: ReadingProcess): Promise<void> {
    const share: Share = new Share(process, {
      receive: (message) => this.#receive(share, message),
      fail: (error) => {
        this.#shares.delete(share);
        this.fail(error);
      },
    });
    this.#shares.add(share);
    const { bytes, extension, handle } = this.#file;
    const order = { kind: "read", extension, bytes, maxPages: this.#settings.maxPages } as const;
    const left = process.run(order, handle, share.task).then(() => void this.#shares.delete(share));
    this.#joined.push(left);
    return left;
  }

  /** Resolves when no process needs the file any more. */
  get left(): Promise<unknown> {
    return Promise.all(this.#joined);
  }

  /** True if enough pages are left for another process to join. */
  get canShare(): boolean {
    if (this.#over || this.#details === undefined || this.#file.extension !== "pdf") return false;
    return this.#details.pages - this.#nextToOrder >= minPagesToShare;
  }

  /**
   * Releases one of the processes: it gets no more pages, and becomes free when it has read the
   * pages that were already ordered. Returns false if the session has only one process left, which
   * can't be spared.
   */
  release(): boolean {
    const working = [...this.#shares].filter((share) => !share.leaving);
    const last = working.pop();
    if (last === undefined || working.length === 0) return false;
    last.leaving = true;
    this.#order(last);
    return true;
  }

  /** Makes the session fail now, and stops every process that works on it. */
  fail(error: unknown): void {
    if (this.#over) return;
    this.#end();
    this.#settle.reject(error);
    for (const share of this.#shares) share.process.stop(error);
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    clearInterval(this.#cpuTimer);
  }

  readonly #onTimeout = () => this.fail(new ReadingError("timeout", "Reading the file took too long."));

  #receive(share: Share, message: ProcessMessage): void {
    if (message.kind === "opened") this.#opened(share, message);
    else if (message.kind === "ocr") this.#ocrStarts(share);
    else if (message.kind === "pages") this.#pages(share, message);
    else if (message.kind !== "done" || !share.closed || share.ordered.length > 0)
      throw new TypeError("unknown message");
  }

  #opened(share: Share, { pages, metadata, outline }: Extract<ProcessMessage, { kind: "opened" }>): void {
    const sound = Number.isInteger(pages) && pages > 0 && pages <= this.#settings.maxPages;
    const alike = this.#details === undefined || this.#details.pages === pages;
    if (!sound || !alike || share.opened || !isMetadata(metadata) || !isOutline(outline)) throw new TypeError("opened");
    share.opened = true;
    if (this.#details === undefined) {
      this.#details = { pages, metadata, outline };
      this.#startTimer();
    }
    this.#order(share);
    this.#onOpened();
  }

  /** Handles the message that the next page needs OCR. A process sends it at most once per page. */
  #ocrStarts(share: Share): void {
    const page = share.ordered[0];
    if (page === undefined || this.#ocrPages.has(page)) throw new TypeError("ocr");
    this.#ocrPages.add(page);
    this.#startTimer();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    if (!this.#over)
      this.#timer = setTimeout(this.#onTimeout, this.#budget.wallMs - (performance.now() - this.#started));
  }

  get #budget() {
    const { background = false } = this.#options;
    const counts = { pages: this.#details?.pages ?? 0, ocrPages: this.#ocrPages.size, background };
    return budgetOf(this.#settings, this.#file.extension, counts);
  }

  #checkCpu(): void {
    const { cpuMs } = this.#budget;
    if ([...this.#shares].some((share) => share.cpuMs > cpuMs)) this.#onTimeout();
  }

  #pages(share: Share, { pages }: Extract<ProcessMessage, { kind: "pages" }>): void {
    for (const packed of pages) {
      const page = unpackPage(packed);
      if (page.number !== share.ordered.shift()) throw new TypeError("page number");
      this.#ahead.set(page.number, page);
    }
    this.#order(share);
    void this.#deliver();
  }

  /**
   * Orders the next pages. If no pages are left, tells the process to close the document. A process
   * that joins late may have to close it without having read any page.
   */
  #order(share: Share): void {
    const { pages } = this.#details ?? { pages: 0 };
    if (!share.opened || share.closed) return;
    while (!this.#over && !share.leaving && this.#nextToOrder <= pages) {
      const left = Math.ceil((pages - this.#nextToOrder + 1) * partPerOrder);
      // OCR takes seconds per page. Once a page of the document has needed OCR, each order has only
      // one page. With more pages, the process could not be released soon.
      const atOnce = this.#ocrPages.size > 0 ? 1 : Math.min(left, maxPagesPerOrder);
      if (share.ordered.length > (ordersAtOnce - 1) * atOnce) break;
      const from = this.#nextToOrder;
      const to = Math.min(from + atOnce - 1, pages);
      if (to >= this.#nextToDeliver + maxAhead) return;
      this.#nextToOrder = to + 1;
      share.order(from, to);
    }
    if (this.#over || share.leaving || this.#nextToOrder > pages) share.close();
  }

  /** Delivers pages in order, each after the receiver has accepted the previous one. */
  async #deliver(): Promise<void> {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let page = this.#next(); page !== undefined; page = this.#next()) {
        const taken = this.#options.onPage(page);
        if (taken !== undefined) await taken;
        if (this.#over) return;
        this.#options.onProgress?.(page.number, this.#details?.pages ?? 0);
        this.#nextToDeliver++;
        for (const share of this.#shares) this.#order(share);
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.#delivering = false;
    }
    this.#finish();
  }

  #next(): Page | undefined {
    const page = this.#over ? undefined : this.#ahead.get(this.#nextToDeliver);
    this.#ahead.delete(this.#nextToDeliver);
    return page;
  }

  #finish(): void {
    if (this.#over || this.#details === undefined || this.#nextToDeliver <= this.#details.pages) return;
    this.#end();
    this.#settle.resolve(this.#details);
  }
}

/** The part of a session's work that one process does. */
class Share {
  readonly process: ReadingProcess;
  readonly task: ReadingTask;
  /** Numbers of the pages that were ordered and have not arrived yet. */
  readonly ordered: number[] = [];
  opened = false;
  readonly #cpuMsBefore: number;
  /** True if the process gets no more pages. */
  leaving = false;
  /** True after the order to close the document was sent. */
  closed = false;

  constructor(process: ReadingProcess, task: ReadingTask) {
    this.process = process;
    this.task = task;
    this.#cpuMsBefore = process.cpuMs ?? 0;
  }

  /**
   * Processor time that the process has spent on this document, in milliseconds. 0 if it is
   * unknown.
   */
  get cpuMs(): number {
    return (this.process.cpuMs ?? 0) - this.#cpuMsBefore;
  }

  order(from: number, to: number): void {
    for (let page = from; page <= to; page++) this.ordered.push(page);
    this.process.send({ kind: "pages", from, to });
  }

  close(): void {
    this.closed = true;
    this.process.send({ kind: "close" });
  }
}
