/** A counting semaphore whose waiting callers are served fairly by tenant. */
import { FairQueue, type Turn } from "./fair-queue.ts";

type Begin = (turn: Turn<Begin>) => void;

export class FairSlots {
  #free: number;
  readonly #waiting = new FairQueue<Begin>();

  /** @param count slots in all. */
  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a slot; disposing it releases the slot. @throws the reason of `signal` if that aborts first. */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Turn<Begin>>();
    const leave = () => {
      if (this.#waiting.delete(resolve)) reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiting.add(resolve);
    this.#serve();
    try {
      const turn = await promise;
      return { [Symbol.dispose]: () => this.#giveBack(turn) };
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #serve(): void {
    while (this.#free > 0) {
      const turn = this.#waiting.next();
      if (turn === undefined) return;
      this.#free--;
      turn.item(turn);
    }
  }

  #giveBack(turn: Turn<Begin>): void {
    if (!turn.release()) return;
    this.#free++;
    this.#serve();
  }
}
