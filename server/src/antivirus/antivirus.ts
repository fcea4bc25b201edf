/** Has files scanned for viruses by clamd before anything of them is kept. What was not scanned whole is refused, never let through. */
import { open } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";
import { FairSlots } from "../lib/fair-slots.ts";
import type { Logger } from "../lib/log.ts";
import { type ClamdAddress, ClamdError, chunkBytes, ping, scanStream, type Verdict } from "./clamd.ts";
import { looksThrough, runSelfTest, type SelfTest, smallestBytes } from "./self-test.ts";

export type { ClamdAddress } from "./clamd.ts";

export interface AntivirusSettings {
  /** Undefined: files are not scanned. */
  clamd: ClamdAddress | undefined;
  /** Of a scan, with the waiting before it. */
  timeoutMs: number;
}

export interface Antivirus extends Disposable {
  /**
   * Resolves where clamd has looked at all of the file and found nothing.
   * @throws AppError `infected_file`, with the name of what was found as cause; `antivirus_unavailable` where there is no verdict;
   * the reason of `signal` where that aborts.
   */
  scan(file: { path: string; size: number }, signal: AbortSignal): Promise<void>;
  /** @throws Error that says what the operator should mend. */
  check(): Promise<void>;
}

/** Scans under way at once: clamd has 10 threads unless it is told otherwise. */
const maxScans = 8;
/** How often clamd is tested: while all is well, and while it isn't. */
const testEveryMs = 5 * 60_000;
const testAgainMs = 30_000;
/** A failed test is made again, sooner than that, for whoever asks for a scan so long after it. */
const staleMs = 2_000;
const pingTimeoutMs = 1_500;

/** Undefined where there is to be none. The first test of clamd is under way then; scans wait for it. */
export function openAntivirus({ clamd, timeoutMs }: AntivirusSettings, log: Logger): Antivirus | undefined {
  return clamd && new ClamdAntivirus(clamd, timeoutMs, log);
}

class ClamdAntivirus implements Antivirus {
  readonly #address: ClamdAddress;
  readonly #timeoutMs: number;
  readonly #log: Logger;
  readonly #slots = new FairSlots(maxScans);
  readonly #closing = new AbortController();
  /** The last test. Undefined until there is one, and from when clamd has failed until it has been tested again. */
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
    using _slot = await this.#slots.take(signal);
    try {
      const verdict = await scanStream(this.#address, chunksOf(path), signal);
      // After the scan: a clamd that was started again with lower limits since the last test is found out by it.
      if (!verdict.infected && size > smallestBytes && !(await this.#looksThrough(size, signal)))
        throw new ClamdError("clamd no longer looks to the end of a file of this size");
      return verdict;
    } catch (error) {
      if (error instanceof ClamdError || isTimeout(error)) this.#doubt();
      throw error;
    }
  }

  #looksThrough(bytes: number, signal: AbortSignal): Promise<boolean> {
    return looksThrough(this.#address, bytes, this.#timeoutMs, signal);
  }

  /** The last test, or a new one where there is none, and where the last one is not enough and some time ago. */
  async #current(isTooLittle: (test: SelfTest) => boolean): Promise<SelfTest> {
    const last = this.#tested;
    if (last && (!isTooLittle(last) || performance.now() - last.at < staleMs)) return last;
    return this.#test();
  }

  /** Nothing is scanned from now on until a test has passed. */
  #doubt(): void {
    this.#tested = undefined;
    this.#testSoon();
  }

  #testSoon(): void {
    this.#test().catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#log.error({ err: error }, "the test of the antivirus failed");
    });
  }

  /** One at a time. */
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
      if (test.problem === undefined) this.#log.info("the antivirus is well again");
      else this.#log.warn({ problem: test.problem }, "the antivirus does not do its work");
      this.#loggedProblem = test.problem;
    }
    return test;
  }
}

/** Each chunk is overwritten by the next one. */
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
