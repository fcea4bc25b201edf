/** A document that a process is reading: its pages so far, its deadline, its end. */
import type { Document, Page } from "./document.ts";
import { documentOf } from "./finished-document.ts";
import { isMetadata, isOutline, type ProcessMessage, unpackPage } from "./messages.ts";
import type { ReadableExtension, ReadingSettings, ReadOptions } from "./reader.ts";

/** What a process is asked, as long as it has not answered. */
export interface UnderWay {
  /** Throws on anything that a sound process does not say. */
  take(message: ProcessMessage): void;
  fail(error: unknown): void;
}

export class ReadingUnderWay implements UnderWay {
  readonly result: Promise<Document>;
  readonly #extension: ReadableExtension;
  readonly #settings: ReadingSettings;
  readonly #options: ReadOptions;
  readonly #settle: { resolve: (document: Document) => void; reject: (reason: unknown) => void };
  readonly #started = performance.now();
  readonly #onDeadline: () => void;
  readonly #pages: Page[] = [];
  #expected = -1;
  #metadata: Record<string, string> = {};
  #outline: NonNullable<Document["outline"]> = [];
  readonly #recognized = new Set<number>();
  #timer: NodeJS.Timeout;

  constructor(extension: ReadableExtension, settings: ReadingSettings, options: ReadOptions, onDeadline: () => void) {
    const { promise, resolve, reject } = Promise.withResolvers<Document>();
    this.result = promise;
    this.#settle = { resolve, reject };
    this.#extension = extension;
    this.#settings = settings;
    this.#options = options;
    this.#onDeadline = onDeadline;
    this.#timer = setTimeout(onDeadline, settings.deadlineMs.base);
  }

  take(message: ProcessMessage): void {
    if (message.kind === "opened") this.#opened(message);
    else if (message.kind === "recognizing") this.#recognizing();
    else if (message.kind === "page") this.#page(message);
    else if (message.kind === "done") this.#done();
    else throw new TypeError("unknown message");
  }

  fail(error: unknown): void {
    clearTimeout(this.#timer);
    this.#settle.reject(error);
  }

  #opened(message: Extract<ProcessMessage, { kind: "opened" }>): void {
    const { pages, metadata, outline } = message;
    const sound = Number.isInteger(pages) && pages > 0 && pages <= this.#settings.maxPages;
    if (!sound || this.#expected >= 0 || !isMetadata(metadata) || !isOutline(outline)) throw new TypeError("opened");
    this.#expected = pages;
    this.#metadata = metadata;
    this.#outline = outline;
    this.#startTimer();
  }

  /** Said before a page, and once for each at most. */
  #recognizing(): void {
    const page = this.#pages.length + 1;
    if (page > this.#expected || this.#recognized.has(page)) throw new TypeError("recognizing");
    this.#recognized.add(page);
    this.#startTimer();
  }

  #startTimer(): void {
    const { base, perPage, perRecognizedPage } = this.#settings.deadlineMs;
    const allowed = base + perPage * this.#expected + perRecognizedPage * this.#recognized.size;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onDeadline, allowed - (performance.now() - this.#started));
  }

  #page(message: Extract<ProcessMessage, { kind: "page" }>): void {
    const page = unpackPage(message.page);
    if (page.number !== this.#pages.length + 1 || page.number > this.#expected) throw new TypeError("page number");
    this.#pages.push(page);
    try {
      this.#options.onProgress?.(page.number, this.#expected);
    } catch (error) {
      this.fail(error);
    }
  }

  #done(): void {
    if (this.#pages.length !== this.#expected) throw new TypeError("pages are missing");
    clearTimeout(this.#timer);
    try {
      this.#settle.resolve(
        documentOf(this.#extension, { metadata: this.#metadata, outline: this.#outline }, this.#pages),
      );
    } catch (error) {
      this.#settle.reject(error);
    }
  }
}
