/**
 * Interface of the document reader, which turns a file on disk into a `Document` or throws a
 * `ReadingError`.
 */
import type { Box, Document, OutlineEntry, Page } from "./document.ts";

export type ReadingFailure = "encrypted" | "corrupt" | "empty" | "too_complex" | "timeout";

export class ReadingError extends Error {
  override readonly name = "ReadingError";
  readonly reason: ReadingFailure;
  constructor(reason: ReadingFailure, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Thrown if a reading process was killed from outside, for example by an operator, or by the kernel
 * when the machine ran out of memory. The document is not the cause, so reading it again may
 * succeed.
 */
export class ReadingInterrupted extends Error {
  override readonly name = "ReadingInterrupted";
}

/** Formats that can be read, by file extension without the dot. */
export const readableExtensions = ["pdf", "docx", "xlsx", "jpg", "jpeg", "png", "heic"] as const;
export type ReadableExtension = (typeof readableExtensions)[number];

/** Formats whose pages can be rendered as images. */
export type RenderableExtension = Exclude<ReadableExtension, "docx" | "xlsx">;

export const pageImageFormats = ["png", "webp"] as const;

export interface PageImageRequest {
  /** Number of the page. The first page is 1. */
  page: number;
  /**
   * Width of the image in pixels, from 1 to 4000. An image file is never enlarged beyond its own
   * size.
   */
  width: number;
  /** Part of the page to render, in page units. If absent, the whole page is rendered. */
  box?: Box | undefined;
  format: (typeof pageImageFormats)[number];
}

export interface PageImage {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** Pages from `from` to `to`. Pages count from 1, and both ends are included. */
export interface PageRange {
  from: number;
  to: number;
}

export interface ReadOptions {
  /**
   * If the signal is aborted, the work stops within a second, and `read` rejects with the signal's
   * reason.
   */
  signal?: AbortSignal;
  /**
   * True if no client is waiting. The read then has a low priority: it starts after all other
   * reads, and does not occupy all processes if another read needs one.
   */
  background?: boolean;
  onProgress?: (pagesDone: number, pages: number) => void;
}

export interface ReadPagesOptions extends ReadOptions {
  /**
   * Receives the pages in order. If the function returns a promise, the next page is passed only
   * after that promise has resolved. If the promise rejects, the read rejects too.
   */
  onPage: (page: Page) => void | Promise<void>;
}

/** Properties of a document apart from its pages. */
export interface PagesRead {
  pages: number;
  metadata: Record<string, string>;
  outline: OutlineEntry[];
}

export interface Reader {
  /**
   * Reads the file at `path`.
   * @param extension the extension that the file had originally, without the dot
   * @throws ReadingError if the content can't be read
   * @throws ReadingInterrupted if a reading process was killed from outside
   * @throws the abort reason, or a system error if the file can't be opened or no process can be
   * started; the document is not the cause of these
   */
  read(path: string, extension: ReadableExtension, options?: ReadOptions): Promise<Document>;
  /**
   * Reads the file as `read` does, but delivers it page by page, so that a long document is never
   * in memory as a whole.
   */
  readPages(path: string, extension: ReadableExtension, options: ReadPagesOptions): Promise<PagesRead>;
  /**
   * Renders one page, or a part of it.
   * @throws ReadingError with the reason `empty` if the file has no such page
   * @throws the same errors as `read`
   */
  renderPage(
    path: string,
    extension: RenderableExtension,
    request: PageImageRequest,
    options?: Pick<ReadOptions, "signal">,
  ): Promise<PageImage>;
  /**
   * Copies pages of a PDF into a new PDF.
   * @throws ReadingError with the reason `empty` if the file does not have all of these pages
   * @throws the same errors as `read`
   */
  copyPages(path: string, range: PageRange, options?: Pick<ReadOptions, "signal">): Promise<Uint8Array>;
  /** Stops every child process. Reads that are running or waiting reject. */
  close(): Promise<void>;
}

export interface ProcessReader extends Reader {
  /**
   * Starts all processes and resolves when they are ready, after about 0.25 s. Without this call,
   * the first read starts a process. Used by benchmarks, and by callers that know that files will
   * follow soon.
   */
  warm(): Promise<void>;
  /**
   * Checks that a process can be started: if none is running, starts one and then stops it. Rejects
   * if the start fails.
   */
  probe(): Promise<void>;
  /**
   * Returns false after `close`. Also returns false if no process is running and the last process
   * that was started did not become ready. If processes were only stopped because they were idle,
   * returns true, because the next read starts one.
   */
  isAlive(): boolean;
  load(): ReadingLoad;
}

export interface ReadingLoad {
  /** Number of processes that are reading or starting. */
  busy: number;
  idle: number;
  /** Number of reads that are waiting for a process. */
  waiting: number;
  /** Number of processes that were started so far. */
  started: number;
  /** Number of processes that crashed or were killed so far. */
  killed: number;
}

export interface ReadingSettings {
  /** Maximum number of child processes. Each reads one document at a time. */
  processes: number;
  /** Idle time after which the processes are stopped, in milliseconds. */
  restMs: number;
  /**
   * Maximum memory of one child process, in bytes. It must be at least 256 MiB, because a process
   * needs 170 MiB just to start.
   */
  maxMemoryBytes: number;
  maxPages: number;
  /**
   * Maximum time for one document, in milliseconds. It is the sum of `base`, of `perPage` for each
   * page, and of `perOcrPage` for each page that needs OCR. It limits both wall time and processor
   * time. For background reads, the limit on wall time is several times longer.
   */
  deadlineMs: { base: number; perPage: number; perOcrPage: number };
  /** Stricter limits for some formats. They do not depend on the number of pages. */
  formatLimits: Partial<Record<ReadableExtension, { wallMs: number; cpuMs: number }>>;
  ocr: OcrSettings;
}

export interface OcrSettings {
  /** Languages for OCR, the most likely one first. The model of each must be installed. */
  languages: readonly string[];
  /** Path of a `tesseract` program that is used instead of the built-in engine. */
  program?: string | undefined;
  /** True if the second recognizer should not be used. Set only by a test. */
  onlyTesseract?: true;
}
