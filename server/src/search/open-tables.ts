/** The tables that are open, with what the engine keeps of them in memory: those that were used last. */
import type { Connection, Session } from "@lancedb/lancedb";
import { type Engine, PassageTable } from "./passage-table.ts";

/**
 * A few tables that the engine has one session for. It counts some of what a session keeps again for every table in it, so the caches of a session
 * for a thousand tables are full at a tenth of their size, and every question then takes five times as long; a session for each table takes twice
 * the memory.
 */
interface Group {
  session: Session;
  connection: Promise<Connection>;
  tables: Map<string, Promise<PassageTable | undefined>>;
  /** Tables that have been in it. */
  opened: number;
  uses: number;
  /** In memory, when it was last looked. */
  bytes: number;
}

const tablesInGroup = 8;
const maxGroups = 128;
/** Of one group: the indexes, and what is known of files. By default the engine would keep 6 GB of indexes. */
const maxIndexBytes = 2n ** 29n;
const maxMetadataBytes = 2n ** 27n;
/** Of all groups, as the engine counts. */
const maxCachedBytes = 2 ** 30;
/** The engine takes 0.1 ms and more to say how much there is in a session. */
const usesBetweenLooks = 16;

export class OpenTables {
  readonly #engine: Engine;
  /** The latest used last. */
  readonly #groups = new Set<Group>();
  readonly #groupOf = new Map<string, Group>();
  #newest: Group | undefined;
  #bytes = 0;
  #closed = false;

  private constructor(engine: Engine) {
    this.#engine = engine;
  }

  static async of(engine: Engine): Promise<OpenTables> {
    const tables = new OpenTables(engine);
    await tables.#newGroup().connection;
    return tables;
  }

  /** undefined where there is no such table. */
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
    // It keeps its place in the group, for it may be made next.
    if (!table && group.tables.get(name) === opening) group.tables.delete(name);
    return table;
  }

  /** To make or drop the table with. */
  connectionFor(name: string): Promise<Connection> {
    return this.#groupFor(name).connection;
  }

  /** The next time it is opened anew. */
  forget(name: string): void {
    this.#groupOf.get(name)?.tables.delete(name);
    this.#groupOf.delete(name);
  }

  /**
   * What the engine keeps in memory of a table that has been written to is for the most part of its earlier versions, and makes questions
   * slower: it begins anew, for the tables of the same session too.
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

  #groupFor(name: string): Group {
    if (this.#closed) throw new Error("the index is closed");
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

  #newGroup(): Group {
    const { lance, folder } = this.#engine;
    const session = new lance.Session(maxIndexBytes, maxMetadataBytes);
    const connection = lance.connect({ uri: folder, session });
    this.#newest = { session, connection, tables: new Map(), opened: 0, uses: 0, bytes: 0 };
    return this.#newest;
  }

  /** Whoever is at work with a table of a group that is dropped goes on with it. */
  #dropUnused(used: Group): void {
    for (const group of this.#groups) {
      if (group === used || (this.#groups.size <= maxGroups && this.#bytes <= maxCachedBytes)) return;
      this.#drop(group);
    }
  }

  #drop(group: Group): void {
    this.#groups.delete(group);
    this.#bytes -= group.bytes;
    for (const [name, of] of this.#groupOf) if (of === group) this.#groupOf.delete(name);
    if (this.#newest === group) this.#newest = undefined;
  }
}
