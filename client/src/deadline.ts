/** Time limits: one signal of a caller's signal and a number of milliseconds. */
import { SheafError } from "./errors.ts";

/** Longer timers would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Aborts with the reason of the caller's signal, or with a `timed_out`. Must be ended, or its timer keeps the process alive. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #outer: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(this.#outer?.reason);

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#outer = outer;
    if (outer?.aborted) this.#onAbort();
    else outer?.addEventListener("abort", this.#onAbort);
    if (timeoutMs <= maxTimerMs)
      this.#timer = setTimeout(() => {
        this.#controller.abort(new SheafError("timed_out", `There was no answer within ${timeoutMs} ms.`));
      }, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason of the abort, where there was one: platforms tell it in errors of their own. */
  errorOf(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : error;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#onAbort);
  }
}

/** Settles with the promise, or rejects with the reason of the signal; the promise goes on. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Resolves after the time, or rejects with the reason of the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return abortable(elapsed, signal).finally(() => clearTimeout(timer));
}
