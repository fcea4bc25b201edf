/** So many may work at once; the others wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with what gives the slot back. @throws the reason of `signal` where that aborts first. */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    return { [Symbol.dispose]: () => this.#giveBack() };
  }

  #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      signal.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      this.#waiting.delete(begin);
      reject(signal.reason);
    };
    this.#waiting.add(begin);
    signal.addEventListener("abort", leave, { once: true });
    return promise;
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
