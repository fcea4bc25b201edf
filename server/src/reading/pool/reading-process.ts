/** The service's view of a child process that reads documents, one at a time. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { yieldProcess } from "../../lib/priority.ts";
import { ReadingError, type ReadingFailure, ReadingInterrupted, type ReadingSettings } from "../reader.ts";
import { confined } from "./confinement.ts";
import type { CopyOrder, Order, ProcessMessage, ReadOrder, RenderOrder, Usage } from "./messages.ts";
import { processTimeOf } from "./process-time.ts";
import { programFile, readingFolder } from "./program-file.ts";

/** A task that a process is working on. */
export interface ReadingTask {
  /**
   * Handles a message from the process.
   * @throws Error if only a compromised process could have sent that message
   */
  receive(message: ProcessMessage): void;
  /** Called if the process can't complete the task, or has exited. */
  fail(error: unknown): void;
}

/**
 * Maximum number of documents that one process reads. After that it is replaced, because libraries
 * leak memory. Chosen by hand, 2026-11.
 */
const maxDocuments = 500;
/**
 * Maximum memory that an idle process may hold, as a share of its memory limit. A process that
 * holds more is replaced. The memory of WebAssembly never shrinks, so the rest might not be enough
 * for the next large file. Chosen by hand, 2026-11.
 */
const maxRestingPart = 0.4;
/**
 * Limit on the processor time of one process, in seconds, which the kernel enforces. It is meant
 * for a process that is in an endless loop when the service is killed. All other processes exit
 * when their channel to the service closes.
 */
const maxCpuSeconds = 10_000;

/** Size of the chunks in which a file is sent to the process, in bytes. */
const feedBytes = 256 * 1024;

/**
 * Size of the address space that V8 reserves for code when it starts. V8 uses only a few megabytes
 * of it, but the kernel counts all of it as data memory. So it is added to the memory limit.
 */
const codeRangeMegabytes = 512;

/**
 * Option that makes V8 inline the usual targets of PDFium's indirect calls. Reading then takes
 * about 5 % less time.
 */
const inlineTableCalls = "--wasm-inlining-call-indirect";

/**
 * Size of a semi-space of V8's young generation, half of the default. This saves 27 MB at the peak
 * and takes 2 % more processor time.
 */
const youngMegabytes = 8;

/**
 * Option that makes V8 collect young-generation garbage in one thread. Reading then takes 5 % less
 * time, because several threads only wait for each other when all processors are busy.
 */
const oneThreadForYoung = "--no-parallel-scavenge";

const failures: readonly ReadingFailure[] = ["encrypted", "corrupt", "empty", "too_complex", "timeout"];

/**
 * Signals that a program causes itself: by a memory fault, an abort when memory runs out, a denied
 * system call, or by reaching the limit on processor time. Any other signal was sent from outside.
 */
const ownSignals: ReadonlySet<string | null> = new Set([
  ...["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP", "SIGSYS", "SIGXCPU", "SIGXFSZ"],
  // Null means that the process exited with an exit code and was not ended by a signal.
  null,
]);

export class ReadingProcess {
  /** Resolves when the process has loaded its library. Rejects if it exits before that. */
  readonly ready: Promise<void>;
  /** Resolves when the process has exited and all its pipes are closed. */
  readonly ended: Promise<void>;
  readonly #settings: ReadingSettings;
  readonly #child: ChildProcess;
  #current: { task: ReadingTask; end: () => void } | undefined;
  #documents = 0;
  #fit = true;
  #retired = false;
  #onReady: () => void = () => {};

  /** @param program the file that the process runs, as a path inside `reading/` */
  constructor(settings: ReadingSettings, program = "child/reading-process-entry.ts") {
    this.#settings = settings;
    this.#child = startProcess(settings, program);
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    this.#onReady = ready.resolve;
    this.ready.catch(() => {});
    const end = (how: string, signal: string | null = null) => {
      this.#onExit(how, signal);
      ready.reject(new Error(`A reading process could not be started: ${how}.`));
      ended.resolve();
    };
    this.#child.stdin?.on("error", () => {});
    this.#child.on("message", (message) => this.#receive(message as ProcessMessage));
    this.#child.on("error", (error) => {
      if (this.#child.pid === undefined) end(error.message);
    });
    // The last message of a process may arrive after its exit, so this waits until the channel is
    // closed.
    this.#child.on("exit", (code, signal) => {
      this.#fit = false;
      const how = `ended with ${signal ?? `code ${code}`}`;
      if (this.#child.connected) this.#child.once("disconnect", () => end(how, signal));
      else end(how, signal);
    });
  }

  /**
   * True if the process may get another document. False if it has exited, was killed, or has
   * reached one of its limits.
   */
  get fit(): boolean {
    return this.#fit;
  }

  /** True if the process was retired because it reached its limits or is not needed. */
  get isRetired(): boolean {
    return this.#retired;
  }

  /** Processor time since the process started, in milliseconds. Undefined if it is unknown. */
  get cpuMs(): number | undefined {
    return this.#child.pid === undefined ? undefined : processTimeOf(this.#child.pid);
  }

  /**
   * Runs `task` on the first `order.bytes` bytes of `file`. Resolves when the file is no longer
   * needed and the process is free again or has exited.
   */
  async run(order: ReadOrder | RenderOrder | CopyOrder, file: FileHandle, task: ReadingTask): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#current = { task, end: resolve };
    this.send(order);
    const fed = this.#feed(file, order.bytes).catch((error) => this.stop(error));
    await promise;
    await fed;
    this.#current = undefined;
  }

  /**
   * Sends an order. If the process has exited, the order is lost, and the exit handler makes the
   * task fail.
   */
  send(order: Order): void {
    this.#child.send(order, () => {});
  }

  /** Kills the process now. Its task fails with `reason`. */
  stop(reason: unknown): void {
    this.#fit = false;
    this.#fail(reason);
    this.#kill();
  }

  /** Stops an idle process that is no longer needed. */
  retire(): void {
    this.#retired = true;
    this.stop(new Error("The process was retired."));
  }

  /**
   * Kills the process and all processes that it started, which form one process group. Does nothing
   * after the process has exited, because its id may then belong to another process.
   */
  #kill(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    process.kill(-pid, "SIGKILL");
  }

  /**
   * Sends the file in chunks that all use the same buffer. A stream would allocate new buffers, and
   * leave as many bytes of garbage as the file has.
   */
  async #feed(file: FileHandle, bytes: number): Promise<void> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(feedBytes, bytes));
    for (let at = 0; at < bytes && this.#fit; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
      if (bytesRead === 0) throw new Error("The file was truncated while it was read.");
      await this.#write(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  }

  /**
   * Resolves when the chunk has been accepted. Also resolves if the process has exited, because the
   * exit handler reports that.
   */
  #write(chunk: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#child.stdin?.write(chunk, () => resolve());
    });
  }

  #receive(message: ProcessMessage): void {
    try {
      this.#handle(message);
    } catch {
      this.stop(new ReadingError("too_complex", "The process that read the file sent an invalid message."));
    }
  }

  #handle(message: ProcessMessage): void {
    if (message.kind === "ready") {
      this.#onReady();
      return;
    }
    const current = this.#current;
    if (current === undefined) throw new TypeError("no task is running");
    const isLast =
      message.kind === "done" || message.kind === "image" || message.kind === "copied" || message.kind === "failed";
    if (isLast) this.#checkLimits(message.usage);
    if (message.kind === "failed" && failures.includes(message.reason)) {
      this.#fail(new ReadingError(message.reason, String(message.message)));
    } else current.task.receive(message);
    if (isLast) current.end();
  }

  #fail(reason: unknown): void {
    const current = this.#current;
    current?.end();
    current?.task.fail(reason);
  }

  #checkLimits(usage: Usage | undefined): void {
    this.#documents++;
    const rested =
      usage !== undefined &&
      usage.rssBytes <= maxRestingPart * this.#settings.maxMemoryBytes &&
      usage.cpuSeconds <= maxCpuSeconds / 2;
    if (rested && this.#documents < maxDocuments) return;
    this.#fit = false;
    this.#retired = true;
  }

  #onExit(how: string, signal: string | null): void {
    this.#fit = false;
    const message = `The process that read the file ${how}.`;
    this.#fail(ownSignals.has(signal) ? new ReadingError("too_complex", message) : new ReadingInterrupted(message));
  }
}

/**
 * Starts Node on the entry file. The kernel limits its data memory and processor time, and Node's
 * permission model lets it read only the program's files and start no threads. It can start
 * processes only if the operator has configured an OCR program.
 *
 * The permission model has three gaps. It does not check who opens a database, so SQLite is
 * switched off. It lets native code be loaded from any path, so `native-code-guard-entry.ts` checks
 * the path. It does not restrict the network, signals, or files that native code opens, so
 * `confinement.ts` does.
 *
 * The image library is native code, so it is loaded only to read images. The process gets no
 * environment variables, and its working folder is the root folder. The document is sent through a
 * pipe, so a compromised process can't read another document.
 */
function startProcess(settings: ReadingSettings, program: string): ChildProcess {
  const limits = 'ulimit -d "$1" && ulimit -t "$2" && shift 2 && exec "$@"';
  const megabytes = Math.floor(settings.maxMemoryBytes / 2 ** 20);
  const { ocr } = settings;
  const dataKilobytes = (megabytes + codeRangeMegabytes) * 1024;
  const startsPrograms = ocr.program !== undefined;
  const folders = readable(readingFolder);
  const command = [
    process.execPath,
    ...(startsPrograms ? ["--allow-child-process"] : []),
    ...["--permission", "--allow-addons", ...folders.map((folder) => `--allow-fs-read=${join(folder, "*")}`)],
    ...[
      "--no-experimental-sqlite",
      "--disallow-code-generation-from-strings",
      inlineTableCalls,
      oneThreadForYoung,
      `--max-semi-space-size=${youngMegabytes}`,
      `--max-old-space-size=${Math.floor(megabytes / 3)}`,
    ],
    ...["--import", pathToFileURL(programFile("child/native-code-guard-entry.ts")).href],
    ...[programFile(program), JSON.stringify(ocr)],
  ];
  const child = spawn(
    "/bin/sh",
    [
      ...["-c", limits, "sh", String(dataKilobytes), String(maxCpuSeconds)],
      ...confined(command, { paths: [...folders, ...manifests(readingFolder)], startsPrograms }),
    ],
    { env: {}, cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore", "ipc"], serialization: "advanced" },
  );
  yieldProcess(child.pid);
  return child;
}

/**
 * Returns the folders that contain the program: its own files, and the installed packages, wherever
 * npm has put them. Node looks for packages in every parent folder, and would stop with an error if
 * it may not read one of these folders.
 */
function readable(here: string): string[] {
  const folders = new Set([here]);
  for (const folder of upFrom(here)) {
    const packages = join(folder, "node_modules");
    if (existsSync(packages)) folders.add(packages);
  }
  for (const name of ["@embedpdf/pdfium", "sharp", "tesseract.js-core"]) {
    const path = fileURLToPath(import.meta.resolve(name));
    folders.add(path.slice(0, path.lastIndexOf("node_modules") + "node_modules".length));
  }
  return [...folders];
}

/**
 * Returns the path of `package.json` in each parent folder. Node reads these files to find out the
 * module type.
 */
const manifests = (here: string): string[] => [...upFrom(here)].map((folder) => join(folder, "package.json"));

/** Yields the folder and its parent folders, except the root folder. */
function* upFrom(folder: string): Generator<string> {
  for (let at = folder; at !== dirname(at); at = dirname(at)) yield at;
}
