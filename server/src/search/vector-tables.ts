/**
 * Stores the vectors of passages. There is one LanceDB table for each agent and embedding model,
 * beside the table of terms.
 */

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Connection, Table } from "@lancedb/lancedb";
import { Field, FixedSizeList, Float32, Schema, Utf8 } from "apache-arrow";
import { itemAt } from "../lib/item-at.ts";
import type { SearchQuery, StoredPassage } from "./passage-index.ts";
import { filterOf, literal, retried, type SearchEngine } from "./passage-table.ts";

/**
 * Cache limit of all tables together, in bytes. The engine reads vectors from disk, and the
 * operating system caches them.
 */
const maxIndexBytes = 2n ** 26n;
const maxMetadataBytes = 2n ** 25n;

/** A passage with its cosine distance. Only distances of the same model can be compared. */
export interface NearPassage {
  passage: StoredPassage;
  distance: number;
}

export class VectorTables {
  readonly #connection: Connection;
  readonly #engine: SearchEngine;
  /** Key of the embedding model. It is part of the names of the tables. */
  readonly #key: string;

  private constructor(connection: Connection, engine: SearchEngine, key: string) {
    this.#connection = connection;
    this.#engine = engine;
    this.#key = key;
  }

  static async open(engine: SearchEngine, key: string): Promise<VectorTables> {
    const session = new engine.lance.Session(maxIndexBytes, maxMetadataBytes);
    // Other processes can write to the same tables.
    const options = { uri: engine.folder, session, readConsistencyInterval: 0 };
    return new VectorTables(await engine.lance.connect(options), engine, key);
  }

  /** Replaces the passages and vectors of a document. */
  async put(agent: string, passages: readonly StoredPassage[], vectors: readonly Float32Array[]): Promise<void> {
    const rows = passages.map((passage, at) => rowOf(passage, itemAt(vectors, at)));
    if (rows.length === 0) return;
    const schema = schemaOf(itemAt(vectors, 0).length);
    const options = { mode: "create", existOk: true } as const;
    const table = await retried(() => this.#connection.createEmptyTable(this.#nameOf(agent), schema, options));
    await retried(() => table.delete(`document = ${literal(passages[0]?.document ?? "")}`));
    // All rows are added in one call. So a document that fits into one batch of the engine is
    // stored completely or not at all.
    await retried(() => table.add(rows));
  }

  /** Returns undefined if there is no table. */
  async documents(agent: string): Promise<Set<string> | undefined> {
    return this.#with(agent, async (table) => {
      const rows = await table.query().select(["document"]).toArrow();
      const documents = new Set<string>(rows.getChild("document") ?? []);
      documents.delete(neighbour.document);
      return documents;
    });
  }

  async remove(agent: string, document: string): Promise<void> {
    await this.#with(agent, (table) => retried(() => table.delete(`document = ${literal(document)}`)));
  }

  async drop(agent: string): Promise<void> {
    await rm(this.#folderOf(agent), { recursive: true, force: true });
  }

  /**
   * Returns the passages nearest by cosine distance, nearest first, or undefined if there is no
   * table.
   */
  async nearest(agent: string, vector: Float32Array, query: SearchQuery): Promise<NearPassage[] | undefined> {
    return this.#with(agent, async (table) => {
      const filter = [filterOf(query), `document != ${literal(neighbour.document)}`].filter((each) => each !== "");
      const rows = await table
        .query()
        .nearestTo(vector)
        .distanceType("cosine")
        .where(filter.join(" AND "))
        .select(["passage", "_distance"])
        .limit(query.limit)
        .toArrow();
      const distances = [...((rows.getChild("_distance") ?? []) as Iterable<number>)];
      const found = new Map<string, number>();
      for (const [index, passage] of [...((rows.getChild("passage") ?? []) as Iterable<string>)].entries())
        if (!found.has(passage)) found.set(passage, distances[index] ?? Number.POSITIVE_INFINITY);
      return [...found].map(([passage, distance]) => ({ passage: JSON.parse(passage) as StoredPassage, distance }));
    });
  }

  /** Removes deleted rows from the files, as `PassageTable.purge` does. */
  async purge(agent: string): Promise<void> {
    await this.#with(agent, async (table) => {
      const { type } = (await table.schema()).fields.find(({ name }) => name === "vector") as Field<FixedSizeList>;
      await retried(() => table.add([rowOf(neighbour, new Float32Array(type.listSize))]));
      await this.compact(agent);
      await this.remove(agent, neighbour.document);
    });
  }

  /** Merges small files, and removes versions of them that are older than `versionsKeptMs`. */
  async compact(agent: string): Promise<void> {
    const cleanupOlderThan = new Date(Date.now() - this.#engine.versionsKeptMs);
    await this.#with(agent, (table) => retried(() => table.optimize({ cleanupOlderThan })));
  }

  close(): void {
    this.#connection.close();
  }

  async #with<T>(agent: string, work: (table: Table) => Promise<T>): Promise<T | undefined> {
    try {
      return await work(await this.#connection.openTable(this.#nameOf(agent)));
    } catch (error) {
      if (!existsSync(this.#folderOf(agent))) return undefined;
      if (await this.#isReadable(agent)) throw error;
      // The vectors are computed again later, from the passages in the keyword index.
      await this.drop(agent);
      return undefined;
    }
  }

  async #isReadable(agent: string): Promise<boolean> {
    try {
      const table = await this.#connection.openTable(this.#nameOf(agent));
      for await (const _ of table.query());
      return true;
    } catch {
      return false;
    }
  }

  #folderOf(agent: string): string {
    return join(this.#engine.folder, `${this.#nameOf(agent)}.lance`);
  }

  #nameOf(agent: string): string {
    if (!/^[\w-]{1,100}$/.test(agent)) throw new TypeError(`"${agent}" is not the reference of an agent`);
    return `vectors-${this.#key}-${agent}`;
  }
}

/**
 * A row that no search finds. `purge` adds it to create a file that the engine can merge with:
 * merging removes deleted rows from the files.
 */
const neighbour: StoredPassage = {
  document: "",
  path: "",
  page: 0,
  start: 0,
  end: 0,
  text: "",
  title: "",
  headings: [],
  name: "",
};

const rowOf = (passage: StoredPassage, vector: Float32Array) => ({
  document: passage.document,
  path: passage.path,
  passage: JSON.stringify(passage),
  vector: Array.from(vector),
});

const schemaOf = (dimensions: number): Schema =>
  new Schema([
    ...["document", "path", "passage"].map((name) => new Field(name, new Utf8(), false)),
    new Field("vector", new FixedSizeList(dimensions, new Field("item", new Float32(), true)), false),
  ]);
