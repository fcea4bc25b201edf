/** Interface of reading: turns a file on disk into a Document, or throws a ReadingError. */
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
 * A reading process was killed from outside, for example by an operator or by the kernel when
 * memory ran out. The document is not the cause: reading it again may succeed.
 */
export class ReadingInterrupted extends Error {
  override readonly name = "ReadingInterrupted";
}

/** Readable formats, by file extension without the dot. */
export const readableExtensions = ["pdf", "docx", "xlsx", "jpg", "jpeg", "png", "heic"] as const;
export type ReadableExtension = (typeof readableExtensions)[number];

/** Formats whose pages can be rendered as images. */
export type RenderableExtension = Exclude<ReadableExtension, "docx" | "xlsx">;

export const pageImageFormats = ["png", "webp"] as const;

export interface PageImageRequest {
  /** Page number. The first page is 1. */
  page: number;
  /**
   * Width of the image in pixels, 1 to 4000. An image file is never enlarged beyond its own pixels.
   */
  width: number;
  /** Part of the page to render, in page units; the whole page if absent. */
  box?: Box | undefined;
  format: (typeof pageImageFormats)[number];
}

export interface PageImage {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** Pages from `from` to `to`, from 1, both ends inclusive. */
export interface PageRange {
  from: number;
  to: number;
}

export interface ReadOptions {
  /** Aborting stops the work within a second; `read` then rejects with the signal's reason. */
  signal?: AbortSignal;
  /**
   * Low priority, because no client is waiting. The read starts after all foreground reads and
   * leaves a process for them.
   */
  background?: boolean;
  onProgress?: (pagesDone: number, pages: number) => void;
}

export interface ReadPagesOptions extends ReadOptions {
  /**
   * Receives the pages in order. The next page follows when the promise resolves; if it rejects,
   * the read rejects too.
   */
  onPage: (page: Page) => void | Promise<void>;
}

/** Properties of a document other than its pages. */
export interface PagesRead {
  pages: number;
  metadata: Record<string, string>;
  outline: OutlineEntry[];
}

export interface Reader {
  /**
   * Reads the file at `path`, whose original name ended in `extension`.
   * @throws ReadingError if the content can't be read.
   * @throws ReadingInterrupted if a reading process was killed from outside.
   * @throws the abort reason, or a system error if the file can't be opened or no process can be
   * started. The document is not the cause.
   */
  read(path: string, extension: ReadableExtension, options?: ReadOptions): Promise<Document>;
  /** Like `read`, page by page, so that a long document is never in memory as a whole. */
  readPages(path: string, extension: ReadableExtension, options: ReadPagesOptions): Promise<PagesRead>;
  /**
   * Renders one page, or a part of it.
   * @throws as `read` does; ReadingError `empty` if the file has no such page.
   */
  renderPage(
    path: string,
    extension: RenderableExtension,
    request: PageImageRequest,
    options?: Pick<ReadOptions, "signal">,
  ): Promise<PageImage>;
  /**
   * Copies pages of a PDF into a new PDF.
   * @throws as `read` does; ReadingError `empty` if the file lacks one of the pages.
   */
  copyPages(path: string, range: PageRange, options?: Pick<ReadOptions, "signal">): Promise<Uint8Array>;
  /** Stops every child process. Running and queued reads reject. */
  close(): Promise<void>;
}

export interface ProcessReader extends Reader {
  /**
   * Starts all processes and resolves when they are ready, after about 0.25 s. Without it the first
   * read starts one. Used by measurements and by callers that know files will follow.
   */
  warm(): Promise<void>;
  /**
   * Checks that a process can be started: starts one if none runs, then stops it. Rejects if the
   * start fails.
   */
  probe(): Promise<void>;
  /**
   * False after `close`, or if the last process that was started did not become ready. True if no
   * process runs, because a read starts one.
   */
  isAlive(): boolean;
  load(): ReadingLoad;
}

export interface ReadingLoad {
  /** Number of processes that are reading or starting. */
  busy: number;
  idle: number;
  /** Number of files that wait for a process. */
  waiting: number;
  /** Number of processes started so far, and how many of them crashed or were killed. */
  started: number;
  killed: number;
}

export interface ReadingSettings {
  /** Maximum number of child processes. Each reads one document at a time. */
  processes: number;
  /** Idle time after which the processes are stopped, in milliseconds. */
  restMs: number;
  /**
   * Maximum memory of one child process, in bytes: at least 256 MiB, of which it needs 170 MiB to
   * start.
   */
  maxMemoryBytes: number;
  maxPages: number;
  /**
   * Maximum time for one document, in milliseconds: base + per page + per page that needs OCR. In
   * the background the wall time is several times that, the processor time is the same.
   */
  deadlineMs: { base: number; perPage: number; perOcrPage: number };
  /** Tighter limits per format, independent of the number of pages. */
  formatLimits: Partial<Record<ReadableExtension, { wallMs: number; cpuMs: number }>>;
  ocr: OcrSettings;
}

export interface OcrSettings {
  /** OCR languages, most likely first. Only languages whose model is installed. */
  languages: readonly string[];
  /** Path of a `tesseract` program to use instead of the built-in one. */
  program?: string | undefined;
  /** Leaves out the second recognizer. Used by measurements. */
  onlyTesseract?: true;
}
