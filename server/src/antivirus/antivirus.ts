/**
 * Scans files for viruses with clamd before they are stored. A file that was not scanned completely
 * is refused, never passed.
 */
import { open } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";
import { FairSlots } from "../lib/fair-slots.ts";
import type { Logger } from "../lib/log.ts";
import { type ClamdAddress, ClamdError, chunkBytes, ping, scanStream, type Verdict } from "./clamd.ts";
import { looksThrough, runSelfTest, type SelfTest, smallestBytes } from "./self-test.ts";

export type { ClamdAddress } from "./clamd.ts";

export interface AntivirusSettings {
  /** Address of clamd; undefined if files are not scanned. */
  clamd: ClamdAddress | undefined;
  /** Maximum time of a scan, including waiting, in milliseconds. */
  timeoutMs: number;
}

export interface Antivirus extends Disposable {
  /**
   * Resolves if clamd has scanned the whole file and found nothing.
   * @throws AppError `infected_file`, with the signature as cause.
   * @throws AppError `antivirus_unavailable` if there is no verdict.
   * @throws the reason of `signal` if it aborts.
   */
  scan(file: { path: string; size: number }, signal: AbortSignal): Promise<void>;
  /** @throws Error that describes the problem to the operator. */
  check(): Promise<void>;
}

/** Maximum number of concurrent scans: clamd has 10 threads by default. */
const maxScans = 8;
/**
 * Interval between self-tests of clamd while clamd works, in milliseconds. Chosen by hand, 2026-11.
 */
const testEveryMs = 5 * 60_000;
/**
 * Pause before a failed self-test of clamd is repeated, in milliseconds. Chosen by hand, 2026-11.
 */
const testAgainMs = 30_000;
/**
 * If a scan would refuse a file because of a test result that is at least this old, in
 * milliseconds, it first repeats the test.
 */
const staleMs = 2_000;
/** Maximum time of a ping, in milliseconds. Chosen by hand, 2026-11. */
const pingTimeoutMs = 1_500;

/**
 * Opens the antivirus and starts the first test of clamd. Scans wait for its result. Returns
 * undefined if scanning is off.
 */
export function openAntivirus({ clamd, timeoutMs }: AntivirusSettings, log: Logger): Antivirus | undefined {
  return clamd && new ClamdAntivirus(clamd, timeoutMs, log);
}

class ClamdAntivirus implements Antivirus {
  readonly #address: ClamdAddress;
  readonly #timeoutMs: number;
  readonly #log: Logger;
  readonly #slots = new FairSlots(maxScans);
  readonly #closing = new AbortController();
  /**
   * Result of the last test. Undefined before the first test, and between a failure of clamd and
   * the next test.
   */
  #tested: (SelfTest & { at: number }) | undefined;
  #testing: Promise<SelfTest> | undefined;
  #loggedProblem: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(address: ClamdAddress, timeoutMs: number, log: Logger) {
    this.#address = address;
    this.#timeoutMs = timeoutMs;
    this.#log = log;
    this.#testSoon();
  }

  async scan({ path, size }: { path: string; size: number }, signal: AbortSignal): Promise<void> {
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    const verdict = await this.#verdict(path, size, AbortSignal.any([signal, this.#closing.signal, deadline])).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof ClamdError || deadline.aborted || this.#closing.signal.aborted)
          throw new AppError("antivirus_unavailable", undefined, { cause: error });
        throw error;
      },
    );
    if (!verdict.infected) return;
    throw new AppError("infected_file", undefined, { cause: new Error(`clamd found ${verdict.signature}`) });
  }

  async check(): Promise<void> {
    const { problem } = await this.#current((test) => test.problem !== undefined);
    if (problem !== undefined) throw new Error(problem);
    try {
      await ping(this.#address, AbortSignal.any([this.#closing.signal, AbortSignal.timeout(pingTimeoutMs)]));
    } catch (error) {
      this.#doubt();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#closing.abort(new Error("The antivirus is being closed."));
    clearTimeout(this.#timer);
  }

  async #verdict(path: string, size: number, signal: AbortSignal): Promise<Verdict> {
    const test = await untilAborted(
      this.#current(({ scannedBytes }) => scannedBytes < size),
      signal,
    );
    if (test.scannedBytes < size) throw new ClamdError(test.problem);
    using _slot = await this.#slots.acquire(signal);
    try {
      const verdict = await scanStream(this.#address, chunksOf(path), signal);
      // Tests again after the scan, because clamd may have restarted with lower limits since the
      // last test.
      if (!verdict.infected && size > smallestBytes && !(await this.#looksThrough(size, signal)))
        throw new ClamdError("clamd no longer scans a file of this size completely");
      return verdict;
    } catch (error) {
      if (error instanceof ClamdError || isTimeout(error)) this.#doubt();
      throw error;
    }
  }

  #looksThrough(bytes: number, signal: AbortSignal): Promise<boolean> {
    return looksThrough(this.#address, bytes, this.#timeoutMs, signal);
  }

  /**
   * Returns the result of the last test. Tests again if there is no result, or if `isTooLittle`
   * returns true for a result that is older than `staleMs`.
   */
  async #current(isTooLittle: (test: SelfTest) => boolean): Promise<SelfTest> {
    const last = this.#tested;
    if (last && (!isTooLittle(last) || performance.now() - last.at < staleMs)) return last;
    return this.#test();
  }

  /** Discards the last test, so that nothing is scanned until a new one has passed. */
  #doubt(): void {
    this.#tested = undefined;
    this.#testSoon();
  }

  #testSoon(): void {
    this.#test().catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#log.error({ err: error }, "the test of the antivirus failed");
    });
  }

  /** Runs at most one test at a time. */
  #test(): Promise<SelfTest> {
    this.#testing ??= this.#runTest().finally(() => {
      this.#testing = undefined;
    });
    return this.#testing;
  }

  async #runTest(): Promise<SelfTest> {
    clearTimeout(this.#timer);
    const test = await runSelfTest(this.#address, this.#timeoutMs, this.#closing.signal);
    this.#tested = { ...test, at: performance.now() };
    this.#timer = setTimeout(() => this.#testSoon(), test.problem === undefined ? testEveryMs : testAgainMs).unref();
    if (test.problem !== this.#loggedProblem) {
      if (test.problem === undefined) this.#log.info("the antivirus works again");
      else this.#log.warn({ problem: test.problem }, "the antivirus does not work");
      this.#loggedProblem = test.problem;
    }
    return test;
  }
}

/** Yields the chunks of a file. Each chunk overwrites the previous one. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === "TimeoutError";

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
