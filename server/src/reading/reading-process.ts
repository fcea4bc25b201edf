/** One child process that reads documents, one at a time, and what the host knows of it. */
import { type ChildProcess, spawn } from "node:child_process";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Document, Page } from "./document.ts";
import { isMetadata, isOutline, type ProcessMessage, type ReadOrder, type Usage, unpackPage } from "./messages.ts";
import { documentOf } from "./read-pdf.ts";
import { ReadingError, type ReadingFailure, type ReadingSettings, type ReadOptions } from "./reader.ts";

/** A process is replaced after so many documents, for what a library leaks. */
const maxDocuments = 500;
/** The memory of a WebAssembly module never shrinks: above this part of the limit the next large file might not fit. */
const maxRestingPart = 0.4;
/**
 * Processor seconds of one process, kept by the kernel. It ends a process whose host was killed while the library was in a loop; any
 * other ends by itself when the channel to the host closes.
 */
const maxCpuSeconds = 1800;

/** A document that is being read by a process. */
class Reading {
  readonly result: Promise<Document>;
  readonly #settings: ReadingSettings;
  readonly #options: ReadOptions;
  readonly #settle: { resolve: (document: Document) => void; reject: (reason: unknown) => void };
  readonly #started = performance.now();
  readonly #onDeadline: () => void;
  readonly #pages: Page[] = [];
  #expected = -1;
  #metadata: Record<string, string> = {};
  #outline: NonNullable<Document["outline"]> = [];
  #timer: NodeJS.Timeout;

  constructor(settings: ReadingSettings, options: ReadOptions, onDeadline: () => void) {
    const { promise, resolve, reject } = Promise.withResolvers<Document>();
    this.result = promise;
    this.#settle = { resolve, reject };
    this.#settings = settings;
    this.#options = options;
    this.#onDeadline = onDeadline;
    this.#timer = setTimeout(onDeadline, settings.deadlineMs.base);
  }

  opened(message: Extract<ProcessMessage, { kind: "opened" }>): void {
    const { pages, metadata, outline } = message;
    const sound = Number.isInteger(pages) && pages > 0 && pages <= this.#settings.maxPages;
    if (!sound || this.#expected >= 0 || !isMetadata(metadata) || !isOutline(outline)) throw new TypeError("opened");
    this.#expected = pages;
    this.#metadata = metadata;
    this.#outline = outline;
    const { base, perPage } = this.#settings.deadlineMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onDeadline, base + perPage * pages - (performance.now() - this.#started));
  }

  page(message: Extract<ProcessMessage, { kind: "page" }>): void {
    const page = unpackPage(message.page);
    if (page.number !== this.#pages.length + 1 || page.number > this.#expected) throw new TypeError("page number");
    this.#pages.push(page);
    this.#options.onProgress?.(page.number, this.#expected);
  }

  done(): void {
    if (this.#pages.length !== this.#expected) throw new TypeError("pages are missing");
    clearTimeout(this.#timer);
    try {
      this.#settle.resolve(documentOf({ metadata: this.#metadata, outline: this.#outline }, this.#pages));
    } catch (error) {
      this.#settle.reject(error);
    }
  }

  fail(error: unknown): void {
    clearTimeout(this.#timer);
    this.#settle.reject(error);
  }
}

const failures: readonly ReadingFailure[] = ["encrypted", "corrupt", "empty", "too_complex", "timeout"];

export class ReadingProcess {
  /** Resolves when the library is loaded; rejects where the process ends before. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone, with all its pipes. */
  readonly ended: Promise<void>;
  readonly #settings: ReadingSettings;
  readonly #child: ChildProcess;
  #current: Reading | undefined;
  #documents = 0;
  #fit = true;
  #onReady: () => void = () => {};

  constructor(settings: ReadingSettings) {
    this.#settings = settings;
    this.#child = startProcess(settings);
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    this.#onReady = ready.resolve;
    this.ready.catch(() => {});
    this.#child.stdin?.on("error", () => {});
    this.#child.on("message", (message) => this.#hear(message as ProcessMessage));
    this.#child.on("exit", (code, signal) => this.#died(`ended with ${signal ?? `code ${code}`}`));
    this.#child.on("error", (error) => this.#died(error.message));
    this.#child.on("close", () => {
      ready.reject(new Error("A reading process could not be started."));
      ended.resolve();
    });
  }

  /** False once the process has died, was killed or has done enough: it must not get another document. */
  get fit(): boolean {
    return this.#fit;
  }

  /**
   * Reads the `bytes` first bytes of `file`.
   * @throws ReadingError, the reason of the signal, or the error of the file system.
   */
  async read(file: FileHandle, bytes: number, options: ReadOptions): Promise<Document> {
    const reading = new Reading(this.#settings, options, () => {
      this.stop(new ReadingError("timeout", "Reading the file took too long."));
    });
    this.#current = reading;
    const onAbort = () => this.stop(options.signal?.reason);
    options.signal?.addEventListener("abort", onAbort);
    try {
      this.#child.send({ kind: "read", bytes, maxPages: this.#settings.maxPages } satisfies ReadOrder, () => {});
      this.#feed(file, bytes);
      return await reading.result;
    } finally {
      options.signal?.removeEventListener("abort", onAbort);
      this.#current = undefined;
    }
  }

  /** Ends the process now; what it reads fails with `reason`. */
  stop(reason: unknown): void {
    this.#fit = false;
    this.#current?.fail(reason);
    this.#child.kill("SIGKILL");
  }

  #feed(file: FileHandle, bytes: number): void {
    const stream = file.createReadStream({ start: 0, end: bytes - 1, autoClose: false });
    stream.on("error", (error) => this.stop(error));
    stream.on("end", () => {
      if (stream.bytesRead < bytes) this.stop(new Error("The file became shorter while it was read."));
    });
    if (this.#child.stdin) stream.pipe(this.#child.stdin, { end: false });
  }

  #hear(message: ProcessMessage): void {
    try {
      this.#take(message);
    } catch {
      this.stop(new ReadingError("too_complex", "The process that read the file broke down."));
    }
  }

  #take(message: ProcessMessage): void {
    if (message.kind === "ready") {
      this.#onReady();
      return;
    }
    const reading = this.#current;
    if (reading === undefined) throw new TypeError("nothing was asked");
    if (message.kind === "opened") reading.opened(message);
    else if (message.kind === "page") reading.page(message);
    else if (message.kind === "done") {
      this.#weigh(message.usage);
      reading.done();
    } else if (message.kind === "failed" && failures.includes(message.reason)) {
      this.#weigh(message.usage);
      reading.fail(new ReadingError(message.reason, String(message.message)));
    } else throw new TypeError("unknown message");
  }

  #weigh(usage: Usage | undefined): void {
    this.#documents++;
    const rested =
      usage !== undefined &&
      usage.rssBytes <= maxRestingPart * this.#settings.maxMemoryBytes &&
      usage.cpuSeconds <= maxCpuSeconds / 2;
    if (!rested || this.#documents >= maxDocuments) this.#fit = false;
  }

  #died(how: string): void {
    this.#fit = false;
    this.#current?.fail(new ReadingError("too_complex", `The process that read the file ${how}.`));
  }
}

/**
 * Starts Node on the entry file, with limits of the kernel on data memory and processor time, and with Node's permission model on:
 * the process can read the program itself and no other file, and can start neither processes nor threads. Its environment is
 * empty and its working folder the root. The document comes through a pipe, so a process that was taken over can't see another one.
 */
function startProcess(settings: ReadingSettings): ChildProcess {
  const here = dirname(fileURLToPath(import.meta.url));
  const library = dirname(dirname(fileURLToPath(import.meta.resolve("@embedpdf/pdfium"))));
  const limits = 'ulimit -d "$1" && ulimit -t "$2" && shift 2 && exec "$@"';
  const megabytes = Math.floor(settings.maxMemoryBytes / 2 ** 20);
  return spawn(
    "/bin/sh",
    [
      ...["-c", limits, "sh", String(megabytes * 1024), String(maxCpuSeconds), process.execPath],
      ...["--permission", `--allow-fs-read=${join(here, "*")}`, `--allow-fs-read=${join(library, "*")}`],
      ...["--disallow-code-generation-from-strings", `--max-old-space-size=${Math.floor(megabytes / 3)}`],
      join(here, "reading-process-entry.ts"),
    ],
    { env: {}, cwd: "/", stdio: ["pipe", "ignore", "ignore", "ipc"], serialization: "advanced" },
  );
}
