/**
 * Refuses requests while the process has more to do than it can, so that those that it takes are answered in good time. Two things tell:
 * turns of the event loop that stay long, and requests under way.
 *
 * In a turn the loop answers whatever has arrived meanwhile; where more arrives than can be answered, each turn is longer than the one
 * before. One long turn is no overload, so nothing is refused until turns have been long for a while. Then each turn takes requests for
 * as long as a turn may be, and refuses what is left of it, which has waited the longest and costs next to nothing.
 */

/** A turn of the event loop that takes longer is long. */
const longTurnMs = 100;
/** Turns that are long for this time are an overload. */
const patienceMs = 500;
const tickMs = 20;

export class LoadGate implements Disposable {
  readonly #maxRequests: number;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #lastTick: number;
  #longSince: number | undefined;
  #underWay = 0;

  /** @param maxRequests requests under way at most. */
  constructor(maxRequests: number, now: () => number = () => performance.now()) {
    this.#maxRequests = maxRequests;
    this.#now = now;
    this.#lastTick = now();
    this.#timer = setInterval(() => this.tick(), tickMs).unref();
  }

  /** Once in a turn of the event loop. */
  tick(): void {
    const now = this.#now();
    const turnMs = now - this.#lastTick;
    if (turnMs < longTurnMs) this.#longSince = undefined;
    else this.#longSince ??= now - turnMs;
    this.#lastTick = now;
  }

  /** Whether a request that has just come is to be refused. */
  get isClosed(): boolean {
    if (this.#underWay >= this.#maxRequests) return true;
    if (this.#longSince === undefined) return false;
    const now = this.#now();
    return now - this.#longSince >= patienceMs && now - this.#lastTick >= longTurnMs;
  }

  /** To be called when a request is taken, and what it answers when the request is over. */
  enter(): () => void {
    this.#underWay++;
    return () => {
      this.#underWay--;
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
