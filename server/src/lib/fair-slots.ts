/** A counting semaphore that serves waiting callers fairly by tenant. */
import { FairQueue, type HeldItem } from "./fair-queue.ts";
import { currentTenant } from "./tenant.ts";

type Grant = (turn: HeldItem<Grant>) => void;

export class FairSlots {
  #free: number;
  readonly #waiting = new FairQueue<Grant>();

  /** @param count total number of slots */
  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Resolves with a slot; disposing it releases the slot.
   * @throws the reason of `signal` if that aborts first
   */
  async acquire(signal?: AbortSignal, tenant = currentTenant()): Promise<Disposable> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<HeldItem<Grant>>();
    const leave = () => {
      if (this.#waiting.delete(resolve)) reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#waiting.add(resolve, tenant);
    this.#serve();
    try {
      const turn = await promise;
      return { [Symbol.dispose]: () => this.#release(turn) };
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Runs `work` with a slot. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    using _slot = await this.acquire();
    return await work();
  }

  #serve(): void {
    while (this.#free > 0) {
      const turn = this.#waiting.next();
      if (turn === undefined) return;
      this.#free--;
      turn.item(turn);
    }
  }

  #release(turn: HeldItem<Grant>): void {
    if (!turn.release()) return;
    this.#free++;
    this.#serve();
  }
}
