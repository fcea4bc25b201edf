/** Places for calls under way: bounded, and shared fairly among those who wait. */

interface Waiter {
  enter: () => void;
}

/** Whoever waits is served in the order of coming; among owners, one of each in turn, so that no owner of many calls holds up the others. */
export class Slots {
  #free: number;
  readonly #waiting = new Map<unknown, Waiter[]>();

  constructor(size: number) {
    this.#free = size;
  }

  /** Resolves with the function that gives the place back. Rejects with the reason of `signal`. */
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
    // A Map keeps the order of insertion: put in anew, the owner is the last in turn.
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
