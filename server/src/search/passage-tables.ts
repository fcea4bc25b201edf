/** The tables of all agents: opened when they are needed, written by one at a time, optimized in the background, repaired when they fail. */
import { maxBuilds } from "./lance.ts";
import { OpenTables } from "./open-tables.ts";
import { type Engine, type PassageRow, PassageTable } from "./passage-table.ts";

export type Purged = "rows" | "versions";

export interface PassageTables {
  /** Puts `rows` in the place of all rows of the document. */
  replace(agent: string, document: string, rows: readonly PassageRow[]): Promise<void>;
  drop(agent: string): Promise<void>;
  /** Takes rows that have been removed out of the files, or, half a minute after that, earlier versions of the files. */
  purge(agent: string, what: Purged): Promise<void>;
  /** `otherwise` where the agent has no table. A failing index is built anew before `work` runs again. */
  read<T>(agent: string, work: (table: PassageTable) => Promise<T>, otherwise: T): Promise<T>;
  close(): Promise<void>;
}

/** Rows that searches may scan one by one: some milliseconds. */
const maxUnindexedRows = 250;
/** Writes that follow each other are indexed together, but no more than this share of the table. */
const quietMs = 1_000;
const maxUnindexedShare = 0.2;
/**
 * Optimizing leaves what was written last in a part of the index of its own, which every search then looks into: a quarter of a millisecond. So after so
 * many writes, and when it is quiet, the index is built anew; that takes about as long as optimizing does.
 */
const maxAppendedShare = 0.05;
/** A query that fails for another reason must not build a large index each time. */
const rebuildEveryMs = 60_000;

export async function openPassageTables(engine: Engine, report: (error: unknown) => void): Promise<PassageTables> {
  const open = await OpenTables.of(engine);
  const writes = new Map<string, Promise<unknown>>();
  const unindexed = new Map<string, number>();
  const appended = new Map<string, number>();
  const rebuilt = new Map<string, number>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** One for each agent at most: while it runs, every write would ask for another. */
  const optimizing = new Set<string>();
  const build = limited(maxBuilds - 1);
  const optimizeOne = limited(1);
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  const tableOf = async (agent: string): Promise<PassageTable | undefined> => open.open(tableName(agent));

  const inTurn = async <T>(agent: string, work: () => Promise<T>): Promise<T> => {
    const before = writes.get(agent);
    const turn = before ? before.then(work, work) : work();
    writes.set(agent, turn);
    try {
      return await turn;
    } finally {
      if (writes.get(agent) === turn) writes.delete(agent);
    }
  };

  const background = (work: Promise<unknown>): void => {
    const watched = work.catch(report).finally(() => underWay.delete(watched));
    underWay.add(watched);
  };

  const optimize = async (agent: string, isQuiet: boolean): Promise<void> => {
    await optimizeOne(async () => {
      const table = closed ? undefined : await tableOf(agent);
      if (!table) return;
      const [rows, waiting] = [appended.get(agent) ?? 0, unindexed.get(agent) ?? 0];
      if (isQuiet && rows > (await table.countRows()) * maxAppendedShare) {
        await build(() => table.buildIndex());
        appended.set(agent, (appended.get(agent) ?? 0) - rows);
      }
      await table.optimize();
      unindexed.set(agent, Math.max(0, (unindexed.get(agent) ?? 0) - waiting));
      if (isQuiet) open.renew(tableName(agent));
    });
    const isLeft = !isQuiet || (unindexed.get(agent) ?? 0) >= maxUnindexedRows;
    if (isLeft && !closed && !timers.has(agent)) optimizeSoon(agent, true);
  };

  const optimizeSoon = (agent: string, isQuiet: boolean): void => {
    clearTimeout(timers.get(agent));
    const run = (): void => {
      timers.delete(agent);
      optimizing.add(agent);
      background(optimize(agent, isQuiet).finally(() => optimizing.delete(agent)));
    };
    timers.set(agent, setTimeout(run, isQuiet ? quietMs : 0).unref());
  };

  const noteWritten = (agent: string, rows: number, passages: number): void => {
    const waiting = (unindexed.get(agent) ?? 0) + rows;
    unindexed.set(agent, waiting);
    appended.set(agent, (appended.get(agent) ?? 0) + rows);
    if (closed || waiting < maxUnindexedRows || optimizing.has(agent)) return;
    const overdue = waiting > maxUnindexedRows + passages * maxUnindexedShare;
    if (timers.has(agent) && overdue) return;
    optimizeSoon(agent, !overdue);
  };

  /** Rows that an earlier process left without index. */
  const noteLeft = async (agent: string): Promise<void> => {
    const table = closed ? undefined : await tableOf(agent);
    const passages = (await table?.countRows()) ?? 0;
    if (table && passages >= maxUnindexedRows) noteWritten(agent, await table.unindexedRows(), passages);
  };

  return {
    replace: (agent, document, rows) =>
      inTurn(agent, async () => {
        const table = await tableOf(agent);
        if (table) {
          await table.removeDocument(document);
          const wasEmpty = rows.length > 0 && (await table.countRows()) === 0;
          await table.add(rows);
          // An index whose rows have all been deleted finds nothing of those that are added later.
          if (wasEmpty) await build(() => table.buildIndex());
          noteWritten(agent, Math.max(1, rows.length), await table.countRows());
        } else if (rows.length > 0) {
          const name = tableName(agent);
          await build(async () => PassageTable.create(engine, await open.connectionFor(name), name, rows));
        }
      }),
    drop: (agent) =>
      inTurn(agent, async () => {
        const name = tableName(agent);
        if (await open.open(name)) await (await open.connectionFor(name)).dropTable(name);
        open.forget(name);
        unindexed.delete(agent);
        appended.delete(agent);
      }),
    purge: (agent, what) =>
      inTurn(agent, async () => {
        const table = await tableOf(agent);
        if (!table) return;
        await build(() => (what === "rows" ? table.purge() : table.optimize()));
        open.renew(tableName(agent));
      }),
    read: async (agent, work, otherwise) => {
      const table = await tableOf(agent);
      if (!table) return otherwise;
      if (!unindexed.has(agent)) {
        unindexed.set(agent, 0);
        setTimeout(() => background(noteLeft(agent)), quietMs).unref();
      }
      try {
        return await work(table);
      } catch (error) {
        open.forget(tableName(agent));
        const again = await tableOf(agent);
        if (!again) return otherwise;
        if (Date.now() - (rebuilt.get(agent) ?? 0) < rebuildEveryMs) throw error;
        rebuilt.set(agent, Date.now());
        await inTurn(agent, () => build(() => again.buildIndex()));
        return work(again);
      }
    },
    close: async () => {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.allSettled([...writes.values(), ...underWay]);
      await open.close();
    },
  };
}

function tableName(agent: string): string {
  if (!/^[\w-]{1,100}$/.test(agent)) throw new TypeError(`"${agent}" is not the reference of an agent`);
  return `agent-${agent}`;
}

/** Runs at most `most` at a time; the others wait. */
function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
