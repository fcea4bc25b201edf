/** The passages of one agent as rows of a LanceDB table with a full-text index over their terms. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection, Index, Table } from "@lancedb/lancedb";
import { type Table as ArrowTable, Field, type RecordBatch, Schema, Utf8 } from "apache-arrow";
import type { Lance } from "./lance.ts";
import type { SearchQuery } from "./passage-index.ts";
import { settledMs } from "./table-names.ts";
import { TermStatistics } from "./term-statistics.ts";
import { maxIndexedBytes } from "./terms-column.ts";

const columns = ["document", "path", "language", "terms"] as const;
const schema = new Schema(columns.map((name) => new Field(name, new Utf8(), false)));

/** `terms` is as `terms-column.ts` says. */
export type PassageRow = Record<(typeof columns)[number], string>;

/** Passages that the statistics are made of, in this many stretches of the table. */
const sampleSize = 4_000;
const stretches = 8;
/** Counting takes as long as a tenth of a search. */
const recountMs = 1_000;
/**
 * Indexes of tables of these sizes are loaded whole with the first question, in the background: a term that nobody has asked for before then takes no longer
 * than another one, for 0.5 s of a processor and 125 MB in 100,000 passages. Larger ones would not fit into the engine's memory for them.
 */
const loadedWhole = { least: 10_000, most: 250_000 };
/** With doubling pauses: some six seconds in all. */
const writeAttempts = 8;

/**
 * A row that nothing finds. The engine leaves deleted rows in a file until they are a tenth of it; files that lie side by side it makes into
 * one, without them.
 */
const neighbour: PassageRow = { document: "", path: "", language: "", terms: "" };

export interface PassageScore {
  document: string;
  score: number;
}

export interface SampledPassage {
  document: string;
  /** Contents of the terms column. */
  terms: Buffer;
}

/** The engine and the folder that its tables are in. */
export interface Engine {
  lance: Lance;
  folder: string;
  /** Versions of a table are kept for readers of other processes that are at work on them. */
  versionsKeptMs: number;
}

interface Statistics {
  of: Promise<TermStatistics>;
  /** Passages when they were sampled, and when they were counted last. */
  sampledOf: number;
  passages: number;
  counted: { atMs: number; writes: number };
}

export class PassageTable {
  readonly #table: Table;
  readonly #lance: Lance;
  readonly #versionsKeptMs: number;
  /** Where every write, of whatever process, leaves a new file. */
  readonly #versions: string;
  #version = 0;
  /** When that folder had changed last, if the table has been seen as it is since. */
  #seenNs: bigint | undefined;
  #statistics: Statistics | undefined;
  #writes = 0;

  private constructor(table: Table, { lance, folder, versionsKeptMs }: Engine) {
    this.#table = table;
    this.#lance = lance;
    this.#versionsKeptMs = versionsKeptMs;
    this.#versions = join(folder, `${table.name}.lance`, "_versions");
  }

  /** undefined where there is none. */
  static async open(engine: Engine, connection: Connection, name: string): Promise<PassageTable | undefined> {
    try {
      return new PassageTable(await connection.openTable(name), engine);
    } catch (error) {
      if (error instanceof Error && /not found/i.test(error.message)) return undefined;
      throw error;
    }
  }

  /** With its first rows, for an index over nothing finds nothing of what is added after it. Another process may make the same table. */
  static async create(
    engine: Engine,
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

  /** The terms columns of a document's passages. */
  async passages(reference: string): Promise<Buffer[]> {
    const query = (await this.#latest()).query().where(`document = ${literal(reference)}`);
    return bytesOf(await query.select(["terms"]).toArrow(), "terms");
  }

  async countRows(): Promise<number> {
    return (await this.#latest()).countRows();
  }

  /** The terms columns of the best `limit` passages by the engine's own BM25. */
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
      // Being told that there is nothing more takes 0.2 ms.
      if (found.length >= limit) break;
    }
    return found;
  }

  /** The documents of the best `limit` passages by the engine's own BM25, with their scores; of one document if it is given. */
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

  /** Passages in the order of the table, from `offset` on. */
  async passagesFrom(offset: number, limit: number): Promise<SampledPassage[]> {
    const rows = await (await this.#latest())
      .query()
      .select(["document", "terms"])
      .offset(offset)
      .limit(limit)
      .toArrow();
    const terms = bytesOf(rows, "terms");
    return textsOf(rows, "document").map((document, at) => ({ document, terms: terms[at] as Buffer }));
  }

  async holds(document: string): Promise<boolean> {
    return (await (await this.#latest()).countRows(`document = ${literal(document)}`)) > 0;
  }

  /**
   * Of a sample, made again when the table has grown or shrunk by a twentieth, with how many passages there are: as they were counted after the last
   * write through this handle, and a second ago at most.
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
    // Without it questions are answered too.
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

  /** How many rows searches have to scan one by one, about 8 µs each. */
  async unindexedRows(): Promise<number> {
    return (await (await this.#latest()).indexStats("terms_idx"))?.numUnindexedRows ?? 0;
  }

  /** Writes the whole index anew, so its time grows with the table: about 2.5 s for 100,000 passages. */
  async optimize(): Promise<void> {
    await retried(async () =>
      (await this.#latest()).optimize({ cleanupOlderThan: new Date(Date.now() - this.#versionsKeptMs) }),
    );
  }

  /**
   * Writes the table anew without the rows that have been removed, and their words out of its index. Takes about twice as long as optimizing;
   * earlier versions of the files are removed by an `optimize` when readers of other processes can't be at work on them any more.
   */
  async purge(): Promise<void> {
    await this.add([neighbour]);
    // Only files that are indexed alike are made into one.
    await this.buildIndex();
    await this.optimize();
    await this.removeDocument(neighbour.document);
  }

  /** With what any process has written before. Having the engine look each time takes a third of a millisecond and more. */
  async #latest(): Promise<Table> {
    const changedNs = statSync(this.#versions, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
    if (changedNs !== undefined && changedNs === this.#seenNs) return this.#table;
    await this.#table.checkoutLatest();
    const version = await this.#table.version();
    // The file of a version that was there has been lost.
    if (version < this.#version) throw new Error("The table has gone back to an earlier version.");
    this.#version = version;
    const isSettled = changedNs !== undefined && Date.now() - Number(changedNs / 1_000_000n) > settledMs;
    this.#seenNs = isSettled ? changedNs : undefined;
    return this.#table;
  }
}

/** Good for one use. */
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

/** Another process may write to the same table at the same time; whoever comes second is told to try again. */
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

/** Without a string for each value. */
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
