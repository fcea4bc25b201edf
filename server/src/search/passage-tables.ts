/**
 * Manages the tables of all agents. Opens tables on demand, runs the writes of an agent one after
 * another, syncs tables to disk, and repairs or reports damaged tables.
 */
import { join } from "node:path";
import { FairSlots } from "../lib/fair-slots.ts";
import { tryLock } from "../lib/file-lock.ts";
import { IndexDamaged } from "./index-damaged.ts";
import { maxBuilds } from "./lance.ts";
import { OpenTables } from "./open-tables.ts";
import { type PassageRow, PassageTable, type SearchEngine } from "./passage-table.ts";
import { isSound, missedInSample } from "./self-check.ts";
import { TableBuilding } from "./table-building.ts";
import { TableNames } from "./table-names.ts";
import { TableOptimizer } from "./table-optimizer.ts";
import { TableSync } from "./table-sync.ts";

export type Purged = "rows" | "versions";

/** Knows which documents an index must contain, and can have an index rebuilt. */
export interface IndexGuard {
  /** Returns the references of all documents that the agent's index must contain. */
  expected(agent: string): Promise<ReadonlySet<string>>;
  /** Called if an agent's index is damaged. It must arrange a rebuild. */
  onDamage(agent: string): Promise<void>;
}

/**
 * Minimum time between two repairs of an agent's table, in milliseconds. Without this limit, every
 * question that fails for a reason other than damage would check the whole table. Chosen by hand,
 * 2026-11.
 */
const healEveryMs = 60_000;
/**
 * Minimum time between two reports of the same damage, in milliseconds. During this time, every
 * access to the table throws IndexDamaged. Chosen by hand, 2026-11.
 */
const damagedMs = 5_000;

export class PassageTables {
  readonly #engine: SearchEngine;
  readonly #open: OpenTables;
  readonly #names: TableNames;
  readonly #report: (error: unknown) => void;
  readonly #guard: IndexGuard | undefined;
  readonly #sync = new TableSync();
  readonly #optimizer: TableOptimizer;
  readonly #builds = new FairSlots(maxBuilds - 1);
  readonly #optimizations = new FairSlots(1);
  readonly #writes = new Map<string, Promise<unknown>>();
  readonly #underWay = new Set<Promise<unknown>>();
  /** Tables of which this process has verified that they contain all expected documents. */
  readonly #verified = new Set<string>();
  readonly #damagedAt = new Map<string, number>();
  readonly #healedAt = new Map<string, number>();
  readonly #healingOf = new Map<string, Promise<void>>();
  #closed = false;

  private constructor(
    engine: SearchEngine,
    open: OpenTables,
    report: (error: unknown) => void,
    guard: IndexGuard | undefined,
  ) {
    this.#engine = engine;
    this.#open = open;
    this.#names = new TableNames(engine.folder);
    this.#report = report;
    this.#guard = guard;
    this.#optimizer = new TableOptimizer({
      tableOf: (agent) => this.#tableOf(agent),
      buildIndex: (table) => this.#builds.run(() => table.buildIndex()),
      limit: (work) => this.#optimizations.run(work),
      optimized: (agent, isQuiet) => this.#optimized(agent, isQuiet),
      background: (agent, work) => this.#background(agent, work),
    });
  }

  static async of(engine: SearchEngine, report: (error: unknown) => void, guard?: IndexGuard): Promise<PassageTables> {
    return new PassageTables(engine, await OpenTables.of(engine), report, guard);
  }

  /**
   * Replaces all rows of a document. The new rows are on disk when the promise resolves. Returns
   * the name of the table.
   */
  async replace(agent: string, document: string, rows: readonly PassageRow[]): Promise<string> {
    const table = await this.#healed(agent, () => this.#inTurn(agent, () => this.#replace(agent, document, rows)));
    await this.#sync.sync(this.#names.folderOf(table));
    return table;
  }

  /** Returns false if the agent's index was rebuilt after a write to `table`. */
  isCurrent(agent: string, table: string): boolean {
    return this.#names.current(agent) === table;
  }

  async drop(agent: string): Promise<void> {
    await this.#inTurn(agent, async () => {
      this.#forget(agent);
      await this.#names.drop(agent);
    });
  }

  /**
   * With `rows`, removes deleted rows from the files. Call it again with `versions` half a minute
   * later, to remove the earlier versions of the files.
   */
  async purge(agent: string, what: Purged): Promise<void> {
    const work = async (): Promise<void> => {
      const table = await this.#tableOf(agent);
      if (table) await this.#builds.run(() => (what === "rows" ? table.purge() : table.optimize()));
    };
    await this.#healed(agent, () => this.#inTurn(agent, work));
    await this.#sync.sync(this.#names.folderOf(this.#names.current(agent)));
    this.#open.renew(this.#names.current(agent));
  }

  /**
   * Runs `work` with the agent's table. Returns `otherwise` if the agent has no table.
   * @throws IndexDamaged
   */
  read<T>(agent: string, work: (table: PassageTable) => Promise<T>, otherwise: T): Promise<T> {
    return this.#healed(agent, async () => {
      const table = await this.#tableOf(agent);
      if (!table) return otherwise;
      this.#optimizer.noteRead(agent);
      return work(table);
    });
  }

  /**
   * Starts to build an index that will replace the agent's index. Returns undefined if some process
   * is already building one.
   */
  async rebuild(agent: string): Promise<TableBuilding | undefined> {
    const lock = tryLock(join(this.#engine.folder, "building.lock"));
    if (!lock) return undefined;
    await this.#names.removeUnfinished();
    return new TableBuilding(this.#engine, agent, {
      build: (work) => this.#builds.run(work),
      sync: (table) => this.#sync.sync(this.#names.folderOf(table)),
      replace: (table) =>
        this.#inTurn(agent, async () => {
          this.#forget(agent);
          await this.#names.replace(agent, table);
        }),
      end: async () => {
        await this.#names.removeUnfinished();
        lock.release();
      },
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#optimizer.close();
    await Promise.allSettled([...this.#writes.values(), ...this.#underWay]);
    await this.#open.close();
  }

  async #replace(agent: string, document: string, rows: readonly PassageRow[]): Promise<string> {
    const name = this.#names.current(agent);
    const table = await this.#tableOf(agent);
    if (table) {
      await table.removeDocument(document);
      const wasEmpty = rows.length > 0 && (await table.countRows()) === 0;
      await table.add(rows);
      // If all rows of a table were deleted, its index does not find rows that are added
      // afterwards. So the index is built again.
      if (wasEmpty) await this.#builds.run(() => table.buildIndex());
      this.#optimizer.noteWritten(agent, Math.max(1, rows.length), await table.countRows());
    } else if (rows.length > 0) {
      const connection = await this.#open.connectionFor(name);
      await this.#builds.run(() => PassageTable.create(this.#engine, connection, name, rows));
    }
    return name;
  }

  /**
   * Returns the agent's table. When a table is used for the first time, it is verified.
   * @throws IndexDamaged
   */
  async #tableOf(agent: string): Promise<PassageTable | undefined> {
    const name = this.#names.current(agent);
    const table = await this.#open.open(name);
    if (this.#guard && !this.#verified.has(name)) await this.#verify(this.#guard, agent, name, table);
    return table;
  }

  /**
   * Checks that the table contains all expected documents. Without this check, nobody would notice
   * that a table or a write was lost.
   */
  async #verify(guard: IndexGuard, agent: string, name: string, table: PassageTable | undefined): Promise<void> {
    const expected = await guard.expected(agent);
    const held = expected.size > 0 ? await table?.documents() : undefined;
    const lacking = [...expected].filter((document) => !held?.has(document));
    if (lacking.length > 0 && this.#names.current(agent) === name) {
      // Some of the missing documents may have been deleted since they were listed.
      const still = await guard.expected(agent);
      const count = lacking.filter((document) => still.has(document)).length;
      if (count > 0) await this.#damaged(agent, new Error(`${count} of ${expected.size} documents are missing`));
    }
    this.#verified.add(name);
  }

  async #inTurn<T>(agent: string, work: () => Promise<T>): Promise<T> {
    const before = this.#writes.get(agent);
    const turn = before ? before.then(work, work) : work();
    this.#writes.set(agent, turn);
    try {
      return await turn;
    } finally {
      if (this.#writes.get(agent) === turn) this.#writes.delete(agent);
    }
  }

  /**
   * Runs `work`. It may fail because files are damaged, or because another process removed them.
   * After the first failure, the table is opened again, and `work` is retried. After the second
   * failure, the table is repaired, and `work` is retried once more.
   */
  async #healed<T>(agent: string, work: () => Promise<T>): Promise<T> {
    if (Date.now() - (this.#damagedAt.get(this.#names.current(agent)) ?? 0) < damagedMs) throw new IndexDamaged(agent);
    try {
      return await work();
    } catch (error) {
      if (error instanceof IndexDamaged) throw error;
      this.#forget(agent);
    }
    try {
      return await work();
    } catch (error) {
      if (error instanceof IndexDamaged) throw error;
      await this.#heal(agent, error);
      return work();
    }
  }

  /** Repairs the agent's table. Callers that fail at the same time share one repair. */
  #heal(agent: string, cause: unknown): Promise<void> {
    const healing =
      this.#healingOf.get(agent) ?? this.#healOnce(agent, cause).finally(() => this.#healingOf.delete(agent));
    this.#healingOf.set(agent, healing);
    return healing;
  }

  /**
   * Rebuilds the full-text index from the rows.
   * @throws IndexDamaged if the rows are damaged too. Throws `cause` if the rebuild failed, or if
   * the last repair was too recent.
   */
  async #healOnce(agent: string, cause: unknown): Promise<void> {
    if (Date.now() - (this.#healedAt.get(agent) ?? 0) < healEveryMs) throw cause;
    const name = this.#names.current(agent);
    const built = await this.#inTurn(agent, async () => {
      const table = await this.#open.open(name);
      await this.#builds.run(async () => table?.buildIndex());
    }).catch((error: unknown) => error);
    this.#forget(agent);
    if (!(await isSound(this.#engine, name))) return this.#damaged(agent, cause);
    this.#healedAt.set(agent, Date.now());
    if (built !== undefined) throw cause;
    this.#report(new Error(`The index of agent ${agent} failed and was rebuilt.`, { cause }));
  }

  async #damaged(agent: string, cause: unknown): Promise<never> {
    const error = new IndexDamaged(agent, { cause });
    this.#damagedAt.set(this.#names.current(agent), Date.now());
    this.#report(error);
    await this.#guard?.onDamage(agent);
    throw error;
  }

  /** Forgets the agent's table, so that the next use opens it again and verifies it. */
  #forget(agent: string): void {
    const name = this.#names.current(agent);
    this.#open.renew(name);
    this.#verified.delete(name);
    this.#optimizer.forget(agent);
  }

  #background(agent: string, work: Promise<unknown>): void {
    const watched = work
      .catch((error: unknown) => this.#afterFailure(agent, error))
      .catch(this.#report)
      .finally(() => this.#underWay.delete(watched));
    this.#underWay.add(watched);
  }

  async #afterFailure(agent: string, error: unknown): Promise<void> {
    if (error instanceof IndexDamaged || this.#closed) return;
    await this.#heal(agent, error).catch((after: unknown) => {
      if (!(after instanceof IndexDamaged)) throw after;
    });
  }

  async #optimized(agent: string, isQuiet: boolean): Promise<void> {
    const name = this.#names.current(agent);
    await this.#sync.sync(this.#names.folderOf(name));
    if (isQuiet) this.#open.renew(name);
    const table = this.#closed ? undefined : await this.#tableOf(agent);
    const missed = table ? await missedInSample(table) : [];
    if (!table || missed.length === 0) return;
    this.#report(
      new Error(
        `Searches for words of these documents of agent ${agent} do not find them: ${missed.join(", ")}. The index is being rebuilt.`,
      ),
    );
    await this.#builds.run(() => table.buildIndex());
    await this.#sync.sync(this.#names.folderOf(name));
    this.#open.renew(name);
    const again = await this.#tableOf(agent);
    const still = again ? await missedInSample(again) : [];
    if (still.length > 0)
      await this.#damaged(agent, new Error("searches for words of some documents do not find them"));
  }
}
