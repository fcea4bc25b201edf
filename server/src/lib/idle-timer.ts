/**
 * Runs a callback when a component has not been used for some time. Does not keep the process
 * alive.
 */
export class IdleTimer {
  readonly #ms: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param onIdle runs `ms` milliseconds after the last `restart` */
  constructor(ms: number, onIdle: () => void) {
    this.#ms = ms;
    this.#onIdle = onIdle;
  }

  /** Restarts the countdown. Cheap enough to be called on each use. */
  restart(): void {
    this.#timer ??= setTimeout(this.#onIdle, this.#ms).unref();
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
