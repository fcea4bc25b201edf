/** Limits the number of concurrent calls, and shares the slots fairly among waiting callers. */

interface Waiter {
  enter: () => void;
}

/**
 * Serves owners in turn, one call each, so that an owner of many calls does not delay the others.
 * Calls of one owner are served in order of arrival.
 */
export class Slots {
  #free: number;
  readonly #waiting = new Map<unknown, Waiter[]>();

  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Acquires a slot and resolves to the function that releases it. Rejects with the reason of
   * `signal`.
   */
  async take(owner: unknown, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(owner, signal);
    return once(() => this.#giveBack());
  }

  #wait(owner: unknown, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#remove(owner, waiter);
      reject(signal.reason);
    };
    const waiter: Waiter = {
      enter: () => {
        signal.removeEventListener("abort", leave);
        resolve();
      },
    };
    signal.addEventListener("abort", leave, { once: true });
    const queue = this.#waiting.get(owner);
    if (queue === undefined) this.#waiting.set(owner, [waiter]);
    else queue.push(waiter);
    return promise;
  }

  #giveBack(): void {
    const next = this.#waiting.entries().next().value;
    if (next === undefined) {
      this.#free++;
      return;
    }
    const [owner, queue] = next;
    const waiter = queue.shift();
    // A Map keeps insertion order, so inserting the owner again moves it to the end.
    this.#waiting.delete(owner);
    if (queue.length > 0) this.#waiting.set(owner, queue);
    waiter?.enter();
  }

  #remove(owner: unknown, waiter: Waiter): void {
    const queue = this.#waiting.get(owner)?.filter((each) => each !== waiter) ?? [];
    if (queue.length > 0) this.#waiting.set(owner, queue);
    else this.#waiting.delete(owner);
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
