/** One child process that reads documents, one at a time, and what the host knows of it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { yieldProcess } from "../../lib/priority.ts";
import { ReadingError, type ReadingFailure, ReadingInterrupted, type ReadingSettings } from "../reader.ts";
import { confined } from "./confinement.ts";
import type { Order, ProcessMessage, ReadOrder, RenderOrder, Usage } from "./messages.ts";
import { processTimeOf } from "./process-time.ts";

/** What a process is asked, as long as it has not answered. */
export interface Task {
  /** What the process says of it. Throws on anything that a sound process does not say. */
  receive(message: ProcessMessage): void;
  /** The process can't do it, or is gone. */
  fail(error: unknown): void;
}

/** A process is replaced after so many documents, for what a library leaks. */
const maxDocuments = 500;
/** The memory of a WebAssembly module never shrinks: above this part of the limit the next large file might not fit. */
const maxRestingPart = 0.4;
/**
 * Processor seconds of one process, kept by the kernel. It ends a process whose host was killed while the library was in a loop; any
 * other ends by itself when the channel to the host closes.
 */
const maxCpuSeconds = 10_000;

/** A file goes to the process in pieces of this size. */
const feedBytes = 256 * 1024;

/** V8 reserves so much for code at its start. It uses a few megabytes of it, but the kernel counts all as data. */
const codeRangeMegabytes = 512;

/** PDFium calls through tables at every turn: with the usual target compiled in, reading takes about a twentieth less time. */
const inlineTableCalls = "--wasm-inlining-call-indirect";

/** Half of what V8 takes by default: 27 MB less at the peak, for a fiftieth more processor time. */
const youngMegabytes = 8;

/** Threads that help to collect young objects only wait for each other where every processor reads: without them a twentieth less time. */
const oneThreadForYoung = "--no-parallel-scavenge";

const failures: readonly ReadingFailure[] = ["encrypted", "corrupt", "empty", "too_complex", "timeout"];

/**
 * Signals that a program brings upon itself: by a fault in memory, by giving up where memory is at its limit, by a system call that it
 * may not make, by its limit of processor time. Any other comes from outside.
 */
const ownSignals: ReadonlySet<string | null> = new Set([
  ...["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP", "SIGSYS", "SIGXCPU", "SIGXFSZ"],
  // It ended with an exit code.
  null,
]);

export class ReadingProcess {
  /** Resolves when the library is loaded; rejects where the process ends before. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone, with all its pipes. */
  readonly ended: Promise<void>;
  readonly #settings: ReadingSettings;
  readonly #child: ChildProcess;
  #current: { task: Task; over: () => void } | undefined;
  #documents = 0;
  #fit = true;
  #retired = false;
  #onReady: () => void = () => {};

  /** `program` is the file that the process runs, a path inside `reading/`. */
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
      this.#died(how, signal);
      ready.reject(new Error(`A reading process could not be started: ${how}.`));
      ended.resolve();
    };
    this.#child.stdin?.on("error", () => {});
    this.#child.on("message", (message) => this.#receive(message as ProcessMessage));
    this.#child.on("error", (error) => {
      if (this.#child.pid === undefined) end(error.message);
    });
    // What it said last may come after its exit, so the end of the channel is waited for.
    this.#child.on("exit", (code, signal) => {
      this.#fit = false;
      const how = `ended with ${signal ?? `code ${code}`}`;
      if (this.#child.connected) this.#child.once("disconnect", () => end(how, signal));
      else end(how, signal);
    });
  }

  /** False once the process has died, was killed or has done enough: it must not get another document. */
  get fit(): boolean {
    return this.#fit;
  }

  /** True where it ends, or has ended, because it has done enough or there are too many. */
  get isRetired(): boolean {
    return this.#retired;
  }

  /** Processor time since its start, in milliseconds; undefined where that can't be known. */
  get cpuMs(): number | undefined {
    return this.#child.pid === undefined ? undefined : processTimeOf(this.#child.pid);
  }

  /** Has the process do `task`, of the first bytes of `file`. Resolves when it is free of it or gone, and needs the file no more. */
  async run(order: ReadOrder | RenderOrder, file: FileHandle, task: Task): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#current = { task, over: resolve };
    this.send(order);
    const fed = this.#feed(file, order.bytes).catch((error) => this.stop(error));
    await promise;
    await fed;
    this.#current = undefined;
  }

  /** Where the process is gone, its end tells what becomes of the order. */
  send(order: Order): void {
    this.#child.send(order, () => {});
  }

  /** Ends the process now; what it reads fails with `reason`. */
  stop(reason: unknown): void {
    this.#fit = false;
    this.#fail(reason);
    this.#kill();
  }

  /** Ends a process that does nothing and is needed no more. */
  retire(): void {
    this.#retired = true;
    this.stop(new Error("The process was retired."));
  }

  /** With all that it started: it leads a process group. Once it is gone its id may be another's, and nothing is killed. */
  #kill(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    process.kill(-pid, "SIGKILL");
  }

  /** Hands the file over through one buffer: a stream would leave a file's worth of buffers to the garbage collector. */
  async #feed(file: FileHandle, bytes: number): Promise<void> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(feedBytes, bytes));
    for (let at = 0; at < bytes && this.#fit; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
      if (bytesRead === 0) throw new Error("The file became shorter while it was read.");
      await this.#write(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  }

  /** Resolves when the chunk has been taken, or never will be because the process is gone: what became of that its end tells. */
  #write(chunk: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#child.stdin?.write(chunk, () => resolve());
    });
  }

  #receive(message: ProcessMessage): void {
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
    const current = this.#current;
    if (current === undefined) throw new TypeError("nothing was asked");
    const isLast = message.kind === "done" || message.kind === "image" || message.kind === "failed";
    if (isLast) this.#weigh(message.usage);
    if (message.kind === "failed" && failures.includes(message.reason)) {
      this.#fail(new ReadingError(message.reason, String(message.message)));
    } else current.task.receive(message);
    if (isLast) current.over();
  }

  #fail(reason: unknown): void {
    const current = this.#current;
    current?.over();
    current?.task.fail(reason);
  }

  #weigh(usage: Usage | undefined): void {
    this.#documents++;
    const rested =
      usage !== undefined &&
      usage.rssBytes <= maxRestingPart * this.#settings.maxMemoryBytes &&
      usage.cpuSeconds <= maxCpuSeconds / 2;
    if (rested && this.#documents < maxDocuments) return;
    this.#fit = false;
    this.#retired = true;
  }

  #died(how: string, signal: string | null): void {
    this.#fit = false;
    const message = `The process that read the file ${how}.`;
    this.#fail(ownSignals.has(signal) ? new ReadingError("too_complex", message) : new ReadingInterrupted(message));
  }
}

/**
 * Starts Node on the entry file, with limits of the kernel on data memory and processor time, and with Node's permission model on:
 * the process can read the program itself and no other file, and can start neither threads nor processes, but for a program of the
 * operator that recognizes scans. The permission model does not ask who opens a database, so there is none; it lets native code be
 * loaded from anywhere, so a guard does not; and it leaves the network, signals and the files that native code opens to the kernel. The
 * library for pictures is native code, so it is loaded only for pictures. The environment is empty and the working folder the root. The
 * document comes through a pipe, so a process that was taken over can't see another one.
 */
function startProcess(settings: ReadingSettings, program: string): ChildProcess {
  const here = dirname(import.meta.dirname);
  const limits = 'ulimit -d "$1" && ulimit -t "$2" && shift 2 && exec "$@"';
  const megabytes = Math.floor(settings.maxMemoryBytes / 2 ** 20);
  const { ocr } = settings;
  const dataKilobytes = (megabytes + codeRangeMegabytes) * 1024;
  const startsPrograms = ocr.program !== undefined;
  const folders = readable(here);
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
    ...["--import", pathToFileURL(join(here, "child/native-code-guard-entry.ts")).href],
    ...[join(here, program), JSON.stringify(ocr)],
  ];
  const child = spawn(
    "/bin/sh",
    [
      ...["-c", limits, "sh", String(dataKilobytes), String(maxCpuSeconds)],
      ...confined(command, { paths: [...folders, ...manifests(here)], startsPrograms }),
    ],
    { env: {}, cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore", "ipc"], serialization: "advanced" },
  );
  yieldProcess(child.pid);
  return child;
}

/**
 * The folders that hold the program: its own files and the installed packages, wherever npm has put them. Every folder on the way up is
 * looked into for packages, and one that may not be read would end the search instead of having it go on with the next.
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

/** The `package.json` of each folder on the way up: Node looks there for how a file is to be read. */
const manifests = (here: string): string[] => [...upFrom(here)].map((folder) => join(folder, "package.json"));

/** The folder and those that it is in, but for the root. */
function* upFrom(folder: string): Generator<string> {
  for (let at = folder; at !== dirname(at); at = dirname(at)) yield at;
}
