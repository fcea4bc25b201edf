/** Time limits: combines a caller's signal with a timeout. */
import { SheafError } from "./errors.ts";

/** Maximum delay of a timer; longer ones fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Aborts a request with the reason of the caller's signal, or with `timed_out` after the timeout.
 * Call `end` when the request is done, because the timer keeps the process alive.
 */
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
        this.#controller.abort(new SheafError("timed_out", `There was no response within ${timeoutMs} ms.`));
      }, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Returns the reason of the abort if the deadline aborted, because platforms then throw a
   * different error. Otherwise returns `error`.
   */
  errorOf(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : error;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#onAbort);
  }
}

/**
 * Settles like the promise. If the signal aborts first, rejects with its reason; the promise itself
 * continues.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Resolves after `ms` milliseconds. If the signal aborts first, rejects with its reason. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return abortable(elapsed, signal).finally(() => clearTimeout(timer));
}
