/** The passage index: one LanceDB table an agent in a local folder. All of it can be made again from the stored Documents. */
import type { Connection, Table } from "@lancedb/lancedb";
import { termsOf } from "./analyzer.ts";
import type { Passage } from "./passages.ts";

export interface SearchQuery {
  text: string;
  limit: number;
  /** Only documents of this path and below. */
  path?: string;
  /** Only these documents. */
  documents?: readonly string[];
}

export interface Hit {
  /** Reference of the document. */
  document: string;
  /** From 1. */
  page: number;
  /** Span of `page.words`. */
  start: number;
  end: number;
  text: string;
  headings: string[];
  title: string;
  name: string;
  path: string;
  /** Higher is better; comparable within one search only. */
  score: number;
}

export interface IndexedDocument {
  reference: string;
  name: string;
  path: string;
}

export interface PassageIndex extends AsyncDisposable {
  /** Replaces what is indexed of the document: running it twice leaves one copy. */
  put(agent: string, document: IndexedDocument, passages: readonly Passage[]): Promise<void>;
  remove(agent: string, documentReference: string): Promise<void>;
  removeAgent(agent: string): Promise<void>;
  search(agent: string, query: SearchQuery): Promise<Hit[]>;
  /** References of the documents that have passages in the index. */
  documents(agent: string): Promise<Set<string>>;
}

export async function openPassageIndex({ folder }: { folder: string }): Promise<PassageIndex> {
  // The engine reads its log level once, when it is loaded; it warns at every new table.
  process.env.LANCEDB_LOG ??= "error";
  const { connect, Index, MatchQuery } = await import("@lancedb/lancedb");
  const connection: Connection = await connect(folder, { readConsistencyInterval: 0 });
  const tables = new Map<string, Promise<Table | undefined>>();
  const queues = new Map<string, Promise<unknown>>();

  const open = (agent: string): Promise<Table | undefined> => {
    const name = tableName(agent);
    let table = tables.get(name);
    if (!table) {
      table = connection.tableNames().then((names) => (names.includes(name) ? connection.openTable(name) : undefined));
      tables.set(name, table);
    }
    return table;
  };
  const inTurn = <T>(agent: string, work: () => Promise<T>): Promise<T> => {
    const result = (queues.get(agent) ?? Promise.resolve()).then(work, work);
    queues.set(agent, result);
    return result;
  };

  return {
    put: (agent, document, passages) =>
      inTurn(agent, async () => {
        const rows = passages.map((passage) => rowOf(document, passage));
        const table = await open(agent);
        if (table) await table.delete(`document = ${literal(document.reference)}`);
        if (rows.length === 0) return;
        if (table) {
          await table.add(rows);
          await table.optimize();
          return;
        }
        const made = await connection.createTable(tableName(agent), rows);
        const config = Index.fts({
          baseTokenizer: "whitespace",
          lowercase: false,
          stem: false,
          removeStopWords: false,
          asciiFolding: false,
          withPosition: false,
        });
        await made.createIndex("terms", { config });
        tables.set(tableName(agent), Promise.resolve(made));
      }),
    remove: (agent, reference) =>
      inTurn(agent, async () => {
        await (await open(agent))?.delete(`document = ${literal(reference)}`);
      }),
    removeAgent: (agent) =>
      inTurn(agent, async () => {
        if (await open(agent)) await connection.dropTable(tableName(agent));
        tables.delete(tableName(agent));
      }),
    search: async (agent, query) => {
      const table = await open(agent);
      const terms = termsOf(query.text).join(" ");
      if (!table || terms === "") return [];
      const found = table.query().fullTextSearch(new MatchQuery(terms, "terms")).limit(query.limit);
      const filter = filterOf(query);
      const rows = await (filter === "" ? found : found.where(filter)).toArray();
      return rows.map(hitOf);
    },
    documents: async (agent) => {
      const table = await open(agent);
      const rows = table ? await table.query().select(["document"]).toArray() : [];
      return new Set(rows.map((row: { document: string }) => row.document));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(queues.values());
      connection.close();
    },
  };
}

function tableName(agent: string): string {
  if (!/^[\w-]{1,100}$/.test(agent)) throw new TypeError(`"${agent}" is not the reference of an agent`);
  return `agent-${agent}`;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function filterOf({ path, documents }: SearchQuery): string {
  const parts: string[] = [];
  if (path) parts.push(`(path = ${literal(path)} OR starts_with(path, ${literal(`${path}/`)}))`);
  if (documents) parts.push(documents.length > 0 ? `document IN (${documents.map(literal).join(", ")})` : "false");
  return parts.join(" AND ");
}

/** What a row of the table holds; `headings` as JSON, `terms` joined by spaces. */
interface Row extends IndexedDocument, Passage {}

type StoredRow = Omit<Row, "reference" | "headings"> & { document: string; headings: string; terms: string };

function rowOf({ reference, name, path }: IndexedDocument, passage: Passage): Record<string, unknown> & StoredRow {
  const { title, headings, text } = passage;
  const terms = termsOf([title, ...headings, text].join("\n")).join(" ");
  return { ...passage, document: reference, name, path, headings: JSON.stringify(headings), terms };
}

function hitOf({ terms, _score, ...row }: StoredRow & { _score: number }): Hit {
  return { ...row, headings: JSON.parse(row.headings), score: _score };
}
