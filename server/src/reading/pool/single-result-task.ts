/**
 * A task that a process completes with a single message, such as rendering an image. Holds the
 * result and the deadline.
 */
import type { ProcessMessage } from "./messages.ts";
import type { ReadingTask } from "./reading-process.ts";

export class SingleResultTask<T> implements ReadingTask {
  readonly result: Promise<T>;
  readonly #settle: { resolve: (result: T) => void; reject: (reason: unknown) => void };
  readonly #timer: NodeJS.Timeout;
  readonly #resultIn: (message: ProcessMessage) => T;

  /**
   * @param resultIn returns the result that a message contains; throws if only a compromised
   * process could have sent the message
   */
  constructor(resultIn: (message: ProcessMessage) => T, deadlineMs: number, onDeadline: () => void) {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.result = promise;
    this.#resultIn = resultIn;
    this.#settle = { resolve, reject };
    this.#timer = setTimeout(onDeadline, deadlineMs);
  }

  receive(message: ProcessMessage): void {
    const result = this.#resultIn(message);
    clearTimeout(this.#timer);
    this.#settle.resolve(result);
  }

  fail(error: unknown): void {
    clearTimeout(this.#timer);
    this.#settle.reject(error);
  }
}
