/** Optimizes a table in the background after enough rows have been written to it. */
import type { PassageTable } from "./passage-table.ts";

/**
 * Maximum number of rows that are not in the index yet. A search scans these rows one by one, which
 * takes some milliseconds.
 */
const maxUnindexedRows = 250;
/**
 * Time without writes after which an optimization starts, in milliseconds. Chosen by hand, 2026-11.
 */
export const quietMs = 1_000;
/**
 * Maximum share (0–1) of rows that are not in the index yet. If there are more such rows, the
 * optimization does not wait for a pause in the writes.
 */
const maxUnindexedShare = 0.2;
/**
 * Maximum share (0–1) of rows that were added after the index was last built. Optimizing puts these
 * rows into a separate part of the index, which slows every search down by a quarter of a
 * millisecond. If the share is larger, the whole index is rebuilt in the next pause in the writes.
 * This takes about as long as optimizing.
 */
const maxAppendedShare = 0.05;

export interface OptimizerDeps {
  tableOf(agent: string): Promise<PassageTable | undefined>;
  buildIndex(table: PassageTable): Promise<void>;
  /** Runs `work` when no other optimization is running. */
  limit<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Called after each optimization. `isQuiet` is true if the optimization waited for a pause in the
   * writes. In this case, the table should be opened again.
   */
  optimized(agent: string, isQuiet: boolean): Promise<void>;
  /**
   * Lets `work` run in the background, and reports an error if it fails. Closing the index waits
   * for `work`.
   */
  background(agent: string, work: Promise<unknown>): void;
}

export class TableOptimizer {
  readonly #deps: OptimizerDeps;
  readonly #unindexed = new Map<string, number>();
  readonly #appended = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /**
   * Agents whose optimization is running. Without this set, every write in the meantime would start
   * another optimization.
   */
  readonly #optimizing = new Set<string>();
  #closed = false;

  constructor(deps: OptimizerDeps) {
    this.#deps = deps;
  }

  noteWritten(agent: string, rows: number, passages: number): void {
    const waiting = (this.#unindexed.get(agent) ?? 0) + rows;
    this.#unindexed.set(agent, waiting);
    this.#appended.set(agent, (this.#appended.get(agent) ?? 0) + rows);
    if (this.#closed || waiting < maxUnindexedRows || this.#optimizing.has(agent)) return;
    const overdue = waiting > maxUnindexedRows + passages * maxUnindexedShare;
    if (this.#timers.has(agent) && overdue) return;
    this.#optimizeSoon(agent, !overdue);
  }

  /**
   * At the first read of an agent's table, checks in the background whether an earlier process has
   * left rows that are not in the index.
   */
  noteRead(agent: string): void {
    if (this.#unindexed.has(agent)) return;
    this.#unindexed.set(agent, 0);
    setTimeout(() => this.#deps.background(agent, this.#noteLeft(agent)), quietMs).unref();
  }

  forget(agent: string): void {
    this.#unindexed.delete(agent);
    this.#appended.delete(agent);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #noteLeft(agent: string): Promise<void> {
    const table = this.#closed ? undefined : await this.#deps.tableOf(agent);
    const passages = (await table?.countRows()) ?? 0;
    if (table && passages >= maxUnindexedRows) this.noteWritten(agent, await table.unindexedRows(), passages);
  }

  #optimizeSoon(agent: string, isQuiet: boolean): void {
    clearTimeout(this.#timers.get(agent));
    const run = (): void => {
      this.#timers.delete(agent);
      this.#optimizing.add(agent);
      const work = this.#optimize(agent, isQuiet).finally(() => this.#optimizing.delete(agent));
      this.#deps.background(agent, work);
    };
    this.#timers.set(agent, setTimeout(run, isQuiet ? quietMs : 0).unref());
  }

  async #optimize(agent: string, isQuiet: boolean): Promise<void> {
    const { tableOf, buildIndex, limit, optimized } = this.#deps;
    await limit(async () => {
      const table = this.#closed ? undefined : await tableOf(agent);
      if (!table) return;
      const [rows, waiting] = [this.#appended.get(agent) ?? 0, this.#unindexed.get(agent) ?? 0];
      if (isQuiet && rows > (await table.countRows()) * maxAppendedShare) {
        await buildIndex(table);
        this.#appended.set(agent, (this.#appended.get(agent) ?? 0) - rows);
      }
      await table.optimize();
      this.#unindexed.set(agent, Math.max(0, (this.#unindexed.get(agent) ?? 0) - waiting));
      await optimized(agent, isQuiet);
    });
    const isLeft = !isQuiet || (this.#unindexed.get(agent) ?? 0) >= maxUnindexedRows;
    if (isLeft && !this.#closed && !this.#timers.has(agent)) this.#optimizeSoon(agent, true);
  }
}
