/**
 * Reads new state changes of all organizations from the database while there are listeners. All
 * processes read the same table, so it does not matter which of them made a change.
 */
import { setTimeout } from "node:timers/promises";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { ChangeWindow } from "./change-window.ts";
import type { StateChangeRow } from "./state-changes.repo.ts";

/** Interval of the reads, in milliseconds. */
const readEveryMs = 1_000;

/** Receives new changes of all organizations; undefined if there were too many to list. */
export type ChangeListener = (changes: readonly StateChangeRow[] | undefined) => void;

/**
 * A period in which changes are read. It begins when the first listener is added and ends when the
 * last listener is removed.
 */
interface Run {
  started: Promise<void>;
  stop: AbortController;
}

export class ChangeFeed {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #listeners = new Set<ChangeListener>();
  #run: Run | undefined;

  constructor({ db, log }: { db: Db; log: Logger }) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Adds a listener. When the promise resolves, every change that is committed afterwards will be
   * reported. Dispose of the result to remove the listener.
   */
  async listen(listener: ChangeListener): Promise<Disposable> {
    this.#listeners.add(listener);
    this.#run ??= this.#start();
    try {
      await this.#run.started;
    } catch (error) {
      this.#remove(listener);
      throw error;
    }
    return { [Symbol.dispose]: () => this.#remove(listener) };
  }

  #remove(listener: ChangeListener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#run?.stop.abort();
    this.#run = undefined;
  }

  #start(): Run {
    const stop = new AbortController();
    const window = new ChangeWindow(this.#db);
    const started = window.open();
    // A failed start is ignored here, because the listeners also await `started` and get the error.
    started.then(
      () => this.#read(window, stop.signal),
      () => {},
    );
    return { started, stop };
  }

  async #read(window: ChangeWindow, signal: AbortSignal): Promise<void> {
    for (let hasFailed = false; ; ) {
      await setTimeout(readEveryMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        const changes = await window.read();
        hasFailed = false;
        if (!signal.aborted && changes?.length !== 0) for (const listener of [...this.#listeners]) listener(changes);
      } catch (error) {
        // Changes made during an outage are read once the database can be reached again.
        if (!hasFailed) this.#log.warn({ err: error }, "changes of state cannot be read");
        hasFailed = true;
      }
    }
  }
}
