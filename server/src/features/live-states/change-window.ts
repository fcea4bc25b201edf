/**
 * Reads each state change once. PostgreSQL numbers rows when they are inserted, but rows become
 * visible only when their transaction commits. A smaller number can therefore appear after a larger
 * one, so the rows of the last seconds are read again.
 */
import type { Db } from "../../records/records.ts";
import { lastSequence, listChanges, type StateChangeRow } from "./state-changes.repo.ts";

/**
 * Time after which no row with a smaller number can appear any more, in milliseconds. Transactions
 * are far shorter than this.
 */
const commitWithinMs = 10_000;
/** Maximum number of changes in the window. */
const maxChanges = 5_000;

export class ChangeWindow {
  readonly #db: Db;
  /** No more rows can appear with this sequence number or a smaller one. */
  #floor = 0;
  /** Time at which each number above `#floor` was read, in the order of reading. */
  readonly #readAt = new Map<number, number>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Skips all changes that are already committed, so that only later ones are reported. */
  async open(): Promise<void> {
    this.#floor = await lastSequence(this.#db, new Date(Date.now() - commitWithinMs).toISOString());
    await this.read();
  }

  /** Returns the new changes. If there are too many, skips them and returns undefined. */
  async read(): Promise<StateChangeRow[] | undefined> {
    const now = performance.now();
    const rows = await listChanges(this.#db, this.#floor, maxChanges + 1);
    if (rows.length > maxChanges) {
      this.#readAt.clear();
      this.#floor = await lastSequence(this.#db);
      return undefined;
    }
    const changes = rows.filter(({ sequence }) => !this.#readAt.has(sequence));
    for (const { sequence } of changes) this.#readAt.set(sequence, now);
    for (const [sequence, at] of this.#readAt) {
      if (now - at < commitWithinMs) break;
      this.#readAt.delete(sequence);
      this.#floor = Math.max(this.#floor, sequence);
    }
    return changes;
  }
}
