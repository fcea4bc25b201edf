/**
 * Stores the passages of one agent as rows of a LanceDB table with a full-text index over their
 * terms.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection, Index, Table } from "@lancedb/lancedb";
import { type Table as ArrowTable, Field, type RecordBatch, Schema, Utf8 } from "apache-arrow";
import { itemAt } from "../lib/item-at.ts";
import type { Lance } from "./lance.ts";
import type { SearchQuery } from "./passage-index.ts";
import { settledMs } from "./table-names.ts";
import { TermStatistics } from "./term-statistics.ts";
import { maxIndexedBytes } from "./terms-column.ts";

const columns = ["document", "path", "language", "terms"] as const;
const schema = new Schema(columns.map((name) => new Field(name, new Utf8(), false)));

/** `terms` has the format of `terms-column.ts`. */
export type PassageRow = Record<(typeof columns)[number], string>;

/** Maximum number of passages in the sample for statistics. */
const sampleSize = 4_000;
/** Number of places in the table from which the sample is taken. */
const stretches = 8;
/**
 * Passages are counted again after this time, in milliseconds. Counting them takes a tenth of the
 * time of a search.
 */
const recountMs = 1_000;
/**
 * Sizes of an index, in passages, between which the first question loads the whole index into
 * memory in the background. Afterwards, a term that is searched for the first time takes no longer
 * than other terms. Loading 100,000 passages takes 0.5 s of processor time and 125 MB. An index
 * above the upper limit would not fit into the engine's cache.
 */
const loadedWhole = { least: 10_000, most: 250_000 };
/**
 * Maximum number of attempts to write. The pause between attempts doubles each time; all pauses
 * together take about six seconds.
 */
const writeAttempts = 8;

/**
 * A row that no search finds. The engine removes deleted rows from a file only if they make up a
 * tenth of the file, or if it merges the file with another file. `purge` adds this row to create a
 * file that the engine can merge with.
 */
const neighbour: PassageRow = { document: "", path: "", language: "", terms: "" };

export interface PassageScore {
  document: string;
  score: number;
}

export interface SampledPassage {
  document: string;
  /** Content of the terms column of the passage. */
  terms: Buffer;
}

/** The engine and the folder of its tables. */
export interface SearchEngine {
  lance: Lance;
  folder: string;
  /**
   * Time for which earlier versions of a table are kept, in milliseconds, because other processes
   * may be reading them.
   */
  versionsKeptMs: number;
}

interface Statistics {
  of: Promise<TermStatistics>;
  /** Number of passages when the sample was taken. */
  sampledOf: number;
  /** Number of passages when they were last counted. */
  passages: number;
  counted: { atMs: number; writes: number };
}

export class PassageTable {
  readonly #table: Table;
  readonly #lance: Lance;
  readonly #versionsKeptMs: number;
  /**
   * Folder in which every write, by any process, creates a file. Its modification time therefore
   * shows new writes.
   */
  readonly #versions: string;
  #version = 0;
  /**
   * Modification time of the folder `#versions` when the table was last brought up to date.
   * Undefined if this time is so recent that the folder may change again without getting a new
   * modification time.
   */
  #seenNs: bigint | undefined;
  #statistics: Statistics | undefined;
  #writes = 0;

  private constructor(table: Table, { lance, folder, versionsKeptMs }: SearchEngine) {
    this.#table = table;
    this.#lance = lance;
    this.#versionsKeptMs = versionsKeptMs;
    this.#versions = join(folder, `${table.name}.lance`, "_versions");
  }

  /** Returns undefined if there is no such table. */
  static async open(engine: SearchEngine, connection: Connection, name: string): Promise<PassageTable | undefined> {
    try {
      return new PassageTable(await connection.openTable(name), engine);
    } catch (error) {
      if (error instanceof Error && /not found/i.test(error.message)) return undefined;
      throw error;
    }
  }

  /**
   * Creates the table with its first rows. An index that is created without rows would not find
   * rows that are added later. Another process may create the same table at the same time.
   */
  static async create(
    engine: SearchEngine,
    connection: Connection,
    name: string,
    rows: readonly PassageRow[],
  ): Promise<PassageTable> {
    const table = await connection.createEmptyTable(name, schema, { mode: "create", existOk: true });
    await retried(() => table.add([...rows]));
    const made = new PassageTable(table, engine);
    await made.buildIndex();
    return made;
  }

  async add(rows: readonly PassageRow[]): Promise<void> {
    if (rows.length > 0) await retried(async () => (await this.#latest()).add([...rows]));
    this.#writes++;
  }

  async removeDocument(reference: string): Promise<void> {
    await retried(async () => (await this.#latest()).delete(`document = ${literal(reference)}`));
    this.#writes++;
  }

  async documents(): Promise<Set<string>> {
    const table = await this.#latest();
    const all = new Set(textsOf(await table.query().select(["document"]).toArrow(), "document"));
    all.delete(neighbour.document);
    return all;
  }

  /** Returns the terms columns of a document's passages. */
  async passages(reference: string): Promise<Buffer[]> {
    const query = (await this.#latest()).query().where(`document = ${literal(reference)}`);
    return bytesOf(await query.select(["terms"]).toArrow(), "terms");
  }

  async countRows(): Promise<number> {
    return (await this.#latest()).countRows();
  }

  /**
   * Returns the terms columns of the `limit` passages with the highest BM25, as the engine computes
   * it.
   */
  async candidates(terms: readonly string[], query: SearchQuery, limit: number): Promise<Buffer[]> {
    const { MatchQuery } = this.#lance;
    const table = await this.#latest();
    let search = table
      .query()
      .fullTextSearch(new MatchQuery(terms.join(" "), "terms"))
      .select(["terms"])
      .limit(limit);
    const filter = filterOf(query);
    if (filter !== "") search = search.where(filter);
    const found: Buffer[] = [];
    for await (const batch of search) {
      found.push(...bytesOf(batch, "terms"));
      // The loop ends here because waiting for the end of the results would take another 0.2 ms.
      if (found.length >= limit) break;
    }
    return found;
  }

  /**
   * Returns documents and scores of the `limit` passages with the highest BM25, as the engine
   * computes it. If `document` is given, only its passages are searched.
   */
  async scores(terms: readonly string[], limit: number, document?: string): Promise<PassageScore[]> {
    const { MatchQuery } = this.#lance;
    let search = (await this.#latest())
      .query()
      .fullTextSearch(new MatchQuery(terms.join(" "), "terms"))
      .select(["document", "_score"])
      .limit(limit);
    if (document !== undefined) search = search.where(`document = ${literal(document)}`);
    const found = await search.toArrow();
    const scores = [...(found.getChild("_score") ?? [])] as number[];
    return textsOf(found, "document").map((reference, at) => ({ document: reference, score: scores[at] ?? 0 }));
  }

  /** Returns up to `limit` passages in the order of the table, from `offset` on. */
  async passagesFrom(offset: number, limit: number): Promise<SampledPassage[]> {
    const rows = await (await this.#latest())
      .query()
      .select(["document", "terms"])
      .offset(offset)
      .limit(limit)
      .toArrow();
    const terms = bytesOf(rows, "terms");
    return textsOf(rows, "document").map((document, at) => ({ document, terms: itemAt(terms, at) }));
  }

  async holds(document: string): Promise<boolean> {
    return (await (await this.#latest()).countRows(`document = ${literal(document)}`)) > 0;
  }

  /**
   * Returns term statistics of a sample, and the number of passages. The passages are counted again
   * after a write through this object, or after a second. If their number has changed by more than
   * a twentieth since the sample was taken, a new sample is taken.
   */
  async statistics(): Promise<{ statistics: TermStatistics; passages: number }> {
    const counted = { atMs: performance.now(), writes: this.#writes };
    const before = this.#statistics?.counted;
    if (!this.#statistics || before?.writes !== counted.writes || counted.atMs - before.atMs > recountMs) {
      const passages = await this.countRows();
      const last = this.#statistics;
      if (last && Math.abs(passages - last.sampledOf) * 20 <= passages) {
        this.#statistics = { ...last, passages, counted };
      } else {
        const of = this.#sample(passages);
        this.#statistics = { of, sampledOf: passages, passages, counted };
        of.catch(() => (this.#statistics = undefined));
      }
    }
    const { of, passages } = this.#statistics;
    return { statistics: await of, passages };
  }

  async #sample(passages: number): Promise<TermStatistics> {
    const table = await this.#latest();
    // Questions work without preloading, so failures are ignored.
    if (passages >= loadedWhole.least && passages <= loadedWhole.most) table.prewarmIndex("terms_idx").catch(() => {});
    const stretch = (offset: number, limit: number) =>
      table.query().select(["terms", "language"]).offset(offset).limit(limit).toArrow();
    const count = passages <= sampleSize ? 1 : stretches;
    const offsets = Array.from({ length: count }, (_, index) => Math.floor((index * passages) / count));
    const sample = await Promise.all(offsets.map((offset) => stretch(offset, sampleSize / count)));
    return new TermStatistics(
      sample.flatMap((rows) => bytesOf(rows, "terms")),
      sample.flatMap((rows) => textsOf(rows, "language")),
    );
  }

  async buildIndex(): Promise<void> {
    await retried(async () =>
      (await this.#latest()).createIndex("terms", { config: fullTextIndex(this.#lance), replace: true }),
    );
  }

  /**
   * Returns the number of rows that are not in the index yet. A search scans these rows one by one,
   * which takes about 8 µs per row.
   */
  async unindexedRows(): Promise<number> {
    return (await (await this.#latest()).indexStats("terms_idx"))?.numUnindexedRows ?? 0;
  }

  /** Rewrites the whole index. For 100,000 passages, this takes about 2.5 s. */
  async optimize(): Promise<void> {
    await retried(async () =>
      (await this.#latest()).optimize({ cleanupOlderThan: new Date(Date.now() - this.#versionsKeptMs) }),
    );
  }

  /**
   * Rewrites the table without deleted rows, and removes their words from the index. Takes about
   * twice as long as `optimize`. Keeps the earlier versions of the files, because other processes
   * may be reading them. A later `optimize` removes the earlier versions.
   */
  async purge(): Promise<void> {
    await this.add([neighbour]);
    // The engine merges two files only if both are indexed or both are not.
    await this.buildIndex();
    await this.optimize();
    await this.removeDocument(neighbour.document);
  }

  /**
   * Returns the table in its latest version, with all writes of all processes. Does not ask the
   * engine if the folder certainly has not changed, because asking takes at least a third of a
   * millisecond.
   */
  async #latest(): Promise<Table> {
    const changedNs = statSync(this.#versions, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
    if (changedNs !== undefined && changedNs === this.#seenNs) return this.#table;
    await this.#table.checkoutLatest();
    const version = await this.#table.version();
    // The version that this process read earlier no longer exists.
    if (version < this.#version) throw new Error("The table has gone back to an earlier version.");
    this.#version = version;
    const isSettled = changedNs !== undefined && Date.now() - Number(changedNs / 1_000_000n) > settledMs;
    this.#seenNs = isSettled ? changedNs : undefined;
    return this.#table;
  }
}

/** Returns the configuration of a new index. A configuration can be used only once. */
function fullTextIndex({ Index: kinds }: Lance): Index {
  return kinds.fts({
    baseTokenizer: "whitespace",
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    withPosition: false,
    maxTokenLength: maxIndexedBytes,
  });
}

/**
 * Runs a write. If two processes write at the same time and conflict, the engine rejects the later
 * write. In this case, the write is retried.
 */
export async function retried<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === writeAttempts || !(error instanceof Error) || !/conflict/i.test(error.message)) throw error;
      await sleep(25 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

const textsOf = (table: ArrowTable, column: string): string[] => [...(table.getChild(column) ?? [])];

/** Returns the bytes of each value of a column. No strings are created for them. */
const bytesOf = (table: ArrowTable | RecordBatch, column: string): Buffer[] =>
  (table.getChild(column)?.data ?? []).flatMap(({ length, values, valueOffsets }) =>
    Array.from({ length }, (_, row) => {
      const [start, end] = [valueOffsets[row] ?? 0, valueOffsets[row + 1] ?? 0];
      return Buffer.from(values.buffer, values.byteOffset + start, end - start);
    }),
  );

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export function filterOf({ path, documents }: SearchQuery): string {
  const parts: string[] = [];
  if (path) parts.push(`(path = ${literal(path)} OR starts_with(path, ${literal(`${path}/`)}))`);
  if (documents) parts.push(documents.length > 0 ? `document IN (${documents.map(literal).join(", ")})` : "false");
  return parts.join(" AND ");
}
