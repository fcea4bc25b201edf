/** The interface of reading: a file on disk becomes a Document, or a ReadingError says why not. */
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
 * A reading process was ended from outside, as by an operator or by the kernel for want of memory. That says nothing about the document:
 * reading it again may succeed.
 */
export class ReadingInterrupted extends Error {
  override readonly name = "ReadingInterrupted";
}

/** Formats that can be read so far, by file extension without the dot. */
export const readableExtensions = ["pdf", "docx", "xlsx", "jpg", "jpeg", "png", "heic"] as const;
export type ReadableExtension = (typeof readableExtensions)[number];

/** Formats whose pages have a look of their own. */
export type RenderableExtension = Exclude<ReadableExtension, "docx" | "xlsx">;

export const pageImageFormats = ["png", "webp"] as const;

export interface PageImageRequest {
  /** From 1. */
  page: number;
  /** Pixels from left to right, 1 to 4000; a picture is not enlarged beyond its own pixels. */
  width: number;
  /** The part to show, in page units; the whole page if absent. */
  box?: Box | undefined;
  format: (typeof pageImageFormats)[number];
}

export interface PageImage {
  width: number;
  height: number;
  bytes: Uint8Array;
}

export interface ReadOptions {
  /** Aborting ends the work within a second; `read` then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Nobody waits for it: it comes after every reading that is not in the background, and leaves a process for those. */
  background?: boolean;
  onProgress?: (pagesDone: number, pages: number) => void;
}

export interface ReadPagesOptions extends ReadOptions {
  /** Takes the pages in their order. The next one comes when the promise resolves; where it rejects, so does the reading. */
  onPage: (page: Page) => void | Promise<void>;
}

/** What is known of a document beside its pages. */
export interface PagesRead {
  pages: number;
  metadata: Record<string, string>;
  outline: OutlineEntry[];
}

export interface Reader {
  /**
   * Reads the file at `path`, whose name ended in `extension`.
   * @throws ReadingError where the content can't be read; ReadingInterrupted; the abort reason; or the machine's own error where the file can't be opened
   * or no process be started, which says nothing about the document.
   */
  read(path: string, extension: ReadableExtension, options?: ReadOptions): Promise<Document>;
  /** The same page by page, so that a long document never stands in memory as a whole. */
  readPages(path: string, extension: ReadableExtension, options: ReadPagesOptions): Promise<PagesRead>;
  /**
   * A picture of one page, or of a part of it.
   * @throws as `read` does; ReadingError `empty` where the file has no such page.
   */
  renderPage(
    path: string,
    extension: RenderableExtension,
    request: PageImageRequest,
    options?: Pick<ReadOptions, "signal">,
  ): Promise<PageImage>;
  /** Ends every child process. Reads that are under way or waiting reject. */
  close(): Promise<void>;
}

export interface ProcessReader extends Reader {
  /**
   * Starts all processes and resolves when they are ready, in about a quarter of a second. Without it the first read starts one. For
   * measurements and whoever knows that files are coming.
   */
  warm(): Promise<void>;
  /** Shows that a process can be started: starts one, if none is there, and ends it as soon as it is ready. Rejects if it can't be. */
  probe(): Promise<void>;
  /** False if the last process that was started did not become ready, and after closing. Processes need not be there: a read starts them. */
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

export interface ReadingSettings {
  /** Child processes at most, each reading one document at a time. */
  processes: number;
  /** Milliseconds without a document after which the processes are ended. */
  restMs: number;
  /** Memory that one child may allocate, in bytes: at least 256 MiB, of which it needs 170 to start. */
  maxMemoryBytes: number;
  maxPages: number;
  /**
   * The whole time one document may take: base + per page + per page whose text must be recognized. In the background several times
   * that, but no more processor time.
   */
  deadlineMs: { base: number; perPage: number; perOcrPage: number };
  /** Tighter limits of formats, however many pages they have. */
  formatLimits: Partial<Record<ReadableExtension, { wallMs: number; cpuMs: number }>>;
  ocr: OcrSettings;
}

export interface OcrSettings {
  /** Languages of scans, most likely first: those of which the process has a model. */
  languages: readonly string[];
  /** Path of a `tesseract` program to use in place of the built-in one. */
  program?: string | undefined;
}
