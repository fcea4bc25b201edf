/** The passages of one agent as rows of a LanceDB table with a full-text index over their terms. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection, Index, Table } from "@lancedb/lancedb";
import { type Table as ArrowTable, Field, Schema, Utf8 } from "apache-arrow";
import type { Lance } from "./lance.ts";
import type { SearchQuery } from "./passage-index.ts";
import { TermStatistics } from "./term-statistics.ts";

/** Each column that is read of the candidates takes a tenth of a millisecond, so what is said about a hit is one column. */
const columns = ["document", "path", "language", "terms", "passage"] as const;
const schema = new Schema(columns.map((name) => new Field(name, new Utf8(), false)));

/** `passage` is whatever a hit is made of. */
export type PassageRow = Record<(typeof columns)[number], string>;

export interface Candidates {
  terms: string[];
  passageAt(index: number): string;
}

/** Passages that the statistics are made of, in this many stretches of the table. */
const sampleSize = 4_000;
const stretches = 8;
/** Counting takes as long as a tenth of a search. */
const recountMs = 1_000;
/** Versions of the table are kept for readers of other processes that are at work on them. */
const keepVersionsMs = 30_000;
/** With doubling pauses: some six seconds in all. */
const writeAttempts = 8;

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
  #statistics: Statistics | undefined;
  #writes = 0;

  private constructor(table: Table, lance: Lance) {
    this.#table = table;
    this.#lance = lance;
  }

  /** undefined where there is none. */
  static async open(connection: Connection, lance: Lance, name: string): Promise<PassageTable | undefined> {
    try {
      return new PassageTable(await connection.openTable(name), lance);
    } catch (error) {
      if (error instanceof Error && /not found/i.test(error.message)) return undefined;
      throw error;
    }
  }

  /** With its first rows, for an index over nothing finds nothing of what is added after it. Another process may make the same table. */
  static async create(
    connection: Connection,
    lance: Lance,
    name: string,
    rows: readonly PassageRow[],
  ): Promise<PassageTable> {
    const table = await connection.createEmptyTable(name, schema, { mode: "create", existOk: true });
    await retried(() => table.add([...rows]));
    const made = new PassageTable(table, lance);
    await made.buildIndex();
    return made;
  }

  async add(rows: readonly PassageRow[]): Promise<void> {
    if (rows.length > 0) await retried(() => this.#table.add([...rows]));
    this.#writes++;
  }

  async removeDocument(reference: string): Promise<void> {
    await retried(() => this.#table.delete(`document = ${literal(reference)}`));
    this.#writes++;
  }

  async documents(): Promise<Set<string>> {
    return new Set(textsOf(await this.#table.query().select(["document"]).toArrow(), "document"));
  }

  countRows(): Promise<number> {
    return this.#table.countRows();
  }

  /** The best `limit` passages by the engine's own BM25 over `terms`. */
  async candidates(terms: readonly string[], query: SearchQuery, limit: number): Promise<Candidates> {
    const { MatchQuery } = this.#lance;
    let search = this.#table
      .query()
      .fullTextSearch(new MatchQuery(terms.join(" "), "terms"))
      .select(["terms", "passage"])
      .limit(limit);
    const filter = filterOf(query);
    if (filter !== "") search = search.where(filter);
    const found = await search.toArrow();
    const passages = found.getChild("passage");
    return { terms: textsOf(found, "terms"), passageAt: (index) => passages?.get(index) ?? "" };
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
    const stretch = (offset: number, limit: number) =>
      this.#table.query().select(["terms", "language"]).offset(offset).limit(limit).toArrow();
    const count = passages <= sampleSize ? 1 : stretches;
    const offsets = Array.from({ length: count }, (_, index) => Math.floor((index * passages) / count));
    const sample = await Promise.all(offsets.map((offset) => stretch(offset, sampleSize / count)));
    return new TermStatistics(
      sample.flatMap((table) => textsOf(table, "terms")),
      sample.flatMap((table) => textsOf(table, "language")),
    );
  }

  async buildIndex(): Promise<void> {
    await retried(() => this.#table.createIndex("terms", { config: fullTextIndex(this.#lance), replace: true }));
  }

  /** How many rows searches have to scan one by one, about 8 µs each. */
  async unindexedRows(): Promise<number> {
    return (await this.#table.indexStats("terms_idx"))?.numUnindexedRows ?? 0;
  }

  /** Writes the whole index anew, so its time grows with the table: about 2.5 s for 100,000 passages. */
  async optimize(): Promise<void> {
    await retried(() => this.#table.optimize({ cleanupOlderThan: new Date(Date.now() - keepVersionsMs) }));
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
    maxTokenLength: 1_000,
  });
}

/** Another process may write to the same table at the same time; whoever comes second is told to try again. */
async function retried<T>(write: () => Promise<T>): Promise<T> {
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

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function filterOf({ path, documents }: SearchQuery): string {
  const parts: string[] = [];
  if (path) parts.push(`(path = ${literal(path)} OR starts_with(path, ${literal(`${path}/`)}))`);
  if (documents) parts.push(documents.length > 0 ? `document IN (${documents.map(literal).join(", ")})` : "false");
  return parts.join(" AND ");
}
