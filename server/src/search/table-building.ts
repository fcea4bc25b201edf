/**
 * Builds a new table for an agent. The new table is used only after it is complete and has replaced
 * the current table.
 */
import { randomUUID } from "node:crypto";
import type { Connection } from "@lancedb/lancedb";
import { type PassageRow, PassageTable, type SearchEngine } from "./passage-table.ts";
import { buildingName } from "./table-names.ts";

/**
 * Number of rows that are written at a time. A batch takes some megabytes. Chosen by hand, 2026-11.
 */
const batchRows = 1_000;
/** Maximum size, in bytes, of the two caches of a build. Chosen by hand, 2026-11. */
const [indexBytes, metadataBytes] = [2n ** 26n, 2n ** 24n];

interface BuildingDeps {
  /** Runs the build of an index. No more builds run at once than the engine supports. */
  build<T>(work: () => Promise<T>): Promise<T>;
  /** Syncs the files of a table to disk. */
  sync(table: string): Promise<void>;
  /**
   * Makes `table` the agent's current table. If `table` is undefined, the agent has no table
   * afterwards.
   */
  replace(table: string | undefined): Promise<void>;
  end(): Promise<void>;
}

export class TableBuilding implements AsyncDisposable {
  readonly #engine: SearchEngine;
  readonly #deps: BuildingDeps;
  readonly #name: string;
  #connection: Promise<Connection> | undefined;
  #table: PassageTable | undefined;
  #waiting: PassageRow[] = [];

  constructor(engine: SearchEngine, agent: string, deps: BuildingDeps) {
    this.#engine = engine;
    this.#deps = deps;
    this.#name = buildingName(agent, randomUUID());
  }

  /** Adds the rows of a new document. */
  async put(rows: readonly PassageRow[]): Promise<void> {
    this.#waiting.push(...rows);
    if (this.#waiting.length >= batchRows) await this.#flush();
  }

  async remove(document: string): Promise<void> {
    await this.#flush();
    await this.#table?.removeDocument(document);
  }

  /** Builds the full-text index. A few more rows may be added after that. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#deps.build(async () => this.#table?.buildIndex());
    await this.#deps.sync(this.#name);
  }

  async commit(): Promise<void> {
    await this.#flush();
    const isEmpty = ((await this.#table?.countRows()) ?? 0) === 0;
    await this.#deps.sync(this.#name);
    await this.#deps.replace(isEmpty ? undefined : this.#name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    (await this.#connection)?.close();
    await this.#deps.end();
  }

  async #flush(): Promise<void> {
    const rows = this.#waiting;
    if (rows.length === 0) return;
    this.#waiting = [];
    if (this.#table) return this.#table.add(rows);
    const { folder, lance } = this.#engine;
    this.#connection = lance.connect({ uri: folder, session: new lance.Session(indexBytes, metadataBytes) });
    const connection = await this.#connection;
    this.#table = await this.#deps.build(() => PassageTable.create(this.#engine, connection, this.#name, rows));
  }
}
