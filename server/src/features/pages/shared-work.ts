/** Work that several callers wait for, and that is cancelled when all of them have left. */

export class SharedWork<T> {
  readonly #result: Promise<T>;
  readonly #cancel = new AbortController();
  readonly #graceMs: number;
  #callers = 0;
  #started = false;

  /**
   * @param work does the work. It calls `started` when it begins to use resources that a
   * cancellation would waste.
   * @param graceMs how long started work continues after its last caller has left, in milliseconds
   */
  constructor(work: (signal: AbortSignal, started: () => void) => Promise<T>, graceMs: number) {
    this.#graceMs = graceMs;
    this.#result = work(this.#cancel.signal, () => {
      this.#started = true;
    });
    // Prevents an unhandled rejection if nobody is waiting any more.
    this.#result.catch(() => {});
  }

  /** Resolves when the work is done or has failed. */
  get ended(): Promise<void> {
    return this.#result.then(
      () => {},
      () => {},
    );
  }

  /**
   * True once the work has been cancelled because its last caller left. Callers can no longer join
   * cancelled work.
   */
  get isCancelled(): boolean {
    return this.#cancel.signal.aborted;
  }

  /** @throws the reason of `signal` if that aborts first */
  async join(signal: AbortSignal): Promise<T> {
    this.#callers++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([this.#result, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      this.#callers--;
      if (signal.aborted) this.#cancelIfLeft(signal.reason);
    }
  }

  #cancelIfLeft(reason: unknown): void {
    if (this.#callers > 0) return;
    if (!this.#started) {
      this.#cancel.abort(reason);
      return;
    }
    const end = () => {
      if (this.#callers === 0) this.#cancel.abort(reason);
    };
    setTimeout(end, this.#graceMs).unref();
  }
}
