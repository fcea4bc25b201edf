/** Rendering of one page by a process: result and deadline. */

import type { PageImage } from "../reader.ts";
import { isPageImage, type ProcessMessage } from "./messages.ts";
import type { ReadingTask } from "./reading-process.ts";

export class RenderingSession implements ReadingTask {
  readonly result: Promise<PageImage>;
  readonly #settle: { resolve: (image: PageImage) => void; reject: (reason: unknown) => void };
  readonly #timer: NodeJS.Timeout;

  constructor(deadlineMs: number, onDeadline: () => void) {
    const { promise, resolve, reject } = Promise.withResolvers<PageImage>();
    this.result = promise;
    this.#settle = { resolve, reject };
    this.#timer = setTimeout(onDeadline, deadlineMs);
  }

  receive(message: ProcessMessage): void {
    if (message.kind !== "image" || !isPageImage(message.image)) throw new TypeError("unknown message");
    clearTimeout(this.#timer);
    this.#settle.resolve(message.image);
  }

  fail(error: unknown): void {
    clearTimeout(this.#timer);
    this.#settle.reject(error);
  }
}
