/** Runs something once a part has not been used for a while. Keeps no process alive. */
export class IdleTimer {
  readonly #ms: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onIdle` runs `ms` milliseconds after the last `restart`. */
  constructor(ms: number, onIdle: () => void) {
    this.#ms = ms;
    this.#onIdle = onIdle;
  }

  /** Counts from now again. Cheap enough for every use. */
  restart(): void {
    this.#timer ??= setTimeout(this.#onIdle, this.#ms).unref();
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
