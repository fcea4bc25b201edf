/** Keeps the most recently used tables open, together with the engine's caches for them. */
import type { Connection, Session } from "@lancedb/lancedb";
import { PassageTable, type SearchEngine } from "./passage-table.ts";

/**
 * A few tables that share one session of the engine. When the engine measures the caches of a
 * session, it counts some shared data once per table. With one session for a thousand tables, the
 * engine would therefore consider the caches full at a tenth of their size, and every question
 * would take five times as long. With one session per table, the caches would take twice the
 * memory.
 */
interface TableGroup {
  session: Session;
  connection: Promise<Connection>;
  tables: Map<string, Promise<PassageTable | undefined>>;
  /** Number of tables that were opened in the session. */
  opened: number;
  uses: number;
  /** Size in memory when it was last measured, in bytes. */
  bytes: number;
}

/** Maximum number of tables opened in one group. Chosen by hand, 2026-11. */
const tablesInGroup = 8;
/** Maximum number of open groups. Chosen by hand, 2026-11. */
const maxGroups = 128;
/** Maximum size of a group's cache of indexes, in bytes. The engine's default would be 6 GB. */
const maxIndexBytes = 2n ** 29n;
/** Maximum size of a group's cache of file metadata, in bytes. */
const maxMetadataBytes = 2n ** 27n;
/** Cache limit of all groups together, in bytes as the engine counts them. */
const maxCachedBytes = 2 ** 30;
/**
 * The size of a group is measured again after this many uses. It is not measured at each use,
 * because a measurement takes at least 0.1 ms.
 */
const usesBetweenLooks = 16;

export class OpenTables {
  readonly #engine: SearchEngine;
  /** Groups in order of their last use, most recent last. */
  readonly #groups = new Set<TableGroup>();
  readonly #groupOf = new Map<string, TableGroup>();
  #newest: TableGroup | undefined;
  #bytes = 0;
  #closed = false;

  private constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  static async of(engine: SearchEngine): Promise<OpenTables> {
    const tables = new OpenTables(engine);
    await tables.#newGroup().connection;
    return tables;
  }

  /** Returns the table, or undefined if it does not exist. */
  async open(name: string): Promise<PassageTable | undefined> {
    const group = this.#groupFor(name);
    const opening =
      group.tables.get(name) ??
      group.connection.then((connection) => PassageTable.open(this.#engine, connection, name));
    group.tables.set(name, opening);
    const table = await opening.catch((error: unknown) => {
      if (group.tables.get(name) === opening) this.forget(name);
      throw error;
    });
    // A missing table still counts as opened in the group, because the caller may create it next.
    if (!table && group.tables.get(name) === opening) group.tables.delete(name);
    return table;
  }

  /** Returns the connection through which the table must be created or dropped. */
  connectionFor(name: string): Promise<Connection> {
    return this.#groupFor(name).connection;
  }

  /** Forgets an open table, so that the next use opens it again. */
  forget(name: string): void {
    this.#groupOf.get(name)?.tables.delete(name);
    this.#groupOf.delete(name);
  }

  /**
   * Drops the caches of a table that was written to, and of the other tables in its session. After
   * writes, the caches contain mostly earlier versions of the table, and questions become slower.
   */
  renew(name: string): void {
    const group = this.#groupOf.get(name);
    if (group) this.#drop(group);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const connections = await Promise.allSettled([...this.#groups].map(({ connection }) => connection));
    for (const each of connections) if (each.status === "fulfilled") each.value.close();
    this.#groups.clear();
    this.#groupOf.clear();
  }

  #groupFor(name: string): TableGroup {
    if (this.#closed) throw new Error("The index is closed.");
    let group = this.#groupOf.get(name) ?? this.#newest;
    if (!group || (!this.#groupOf.has(name) && group.opened === tablesInGroup)) group = this.#newGroup();
    if (this.#groupOf.get(name) !== group) {
      this.#groupOf.set(name, group);
      group.opened++;
    }
    this.#groups.delete(group);
    this.#groups.add(group);
    if (++group.uses % usesBetweenLooks === 0) {
      this.#bytes -= group.bytes;
      group.bytes = Number(group.session.sizeBytes());
      this.#bytes += group.bytes;
    }
    this.#dropUnused(group);
    return group;
  }

  #newGroup(): TableGroup {
    const { lance, folder } = this.#engine;
    const session = new lance.Session(maxIndexBytes, maxMetadataBytes);
    const connection = lance.connect({ uri: folder, session });
    this.#newest = { session, connection, tables: new Map(), opened: 0, uses: 0, bytes: 0 };
    return this.#newest;
  }

  /**
   * Drops the least recently used groups if there are too many or their caches are too large. Code
   * that still uses a table of a dropped group can finish its work.
   */
  #dropUnused(used: TableGroup): void {
    for (const group of this.#groups) {
      if (group === used || (this.#groups.size <= maxGroups && this.#bytes <= maxCachedBytes)) return;
      this.#drop(group);
    }
  }

  #drop(group: TableGroup): void {
    this.#groups.delete(group);
    this.#bytes -= group.bytes;
    for (const [name, of] of this.#groupOf) if (of === group) this.#groupOf.delete(name);
    if (this.#newest === group) this.#newest = undefined;
  }
}
