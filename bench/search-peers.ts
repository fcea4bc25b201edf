/** Other full-text searches with the same passages: top ten of any of the words of a question, best first. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create, insertMultiple, search } from "@orama/orama";
import MiniSearch from "minisearch";
import pg from "pg";

export interface SearchPeer extends AsyncDisposable {
  name: string;
  /** Above this many passages it takes minutes or gigabytes. */
  most: number;
  add(texts: readonly string[]): Promise<void>;
  ready(): Promise<void>;
  /** How many it found. */
  find(question: string): Promise<number>;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export function sqliteFts5(folder: string): SearchPeer {
  const file = join(folder, "fts5.db");
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA cache_size = -200000");
  db.exec("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize = 'porter unicode61')");
  const insert = db.prepare("INSERT INTO passages (text) VALUES (?)");
  const select = db.prepare("SELECT text FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT 10");
  return {
    name: "SQLite FTS5",
    most: 1_000_000,
    add: async (texts) => {
      db.exec("BEGIN");
      for (const text of texts) insert.run(text);
      db.exec("COMMIT");
    },
    ready: async () => db.exec("INSERT INTO passages (passages) VALUES ('optimize')"),
    find: async (question) =>
      select.all(
        wordsOf(question)
          .map((word) => `"${word}"`)
          .join(" OR "),
      ).length,
    [Symbol.asyncDispose]: async () => {
      db.close();
      rmSync(file, { force: true });
    },
  };
}

export async function postgres(url: string): Promise<SearchPeer> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("CREATE TEMP TABLE bench_passages (text text, terms tsvector)");
  return {
    name: "PostgreSQL tsvector",
    most: 100_000,
    add: async (texts) => {
      await client.query(
        "INSERT INTO bench_passages SELECT t, to_tsvector('english', t) FROM unnest($1::text[]) AS t",
        [texts],
      );
    },
    ready: async () => {
      await client.query("CREATE INDEX ON bench_passages USING gin (terms)");
      await client.query("ANALYZE bench_passages");
    },
    find: async (question) => {
      const { rows } = await client.query(
        "SELECT text FROM bench_passages, to_tsquery('english', $1) AS q WHERE terms @@ q ORDER BY ts_rank(terms, q) DESC LIMIT 10",
        [wordsOf(question).join(" | ")],
      );
      return rows.length;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

export function miniSearch(): SearchPeer {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ["text"] });
  let id = 0;
  return {
    name: "MiniSearch",
    most: 10_000,
    add: async (texts) => index.addAll(texts.map((text) => ({ id: id++, text }))),
    ready: async () => {},
    find: async (question) => index.search(question).slice(0, 10).length,
    [Symbol.asyncDispose]: async () => index.removeAll(),
  };
}

export function orama(): SearchPeer {
  const index = create({ schema: { text: "string" } as const });
  return {
    name: "Orama",
    most: 10_000,
    add: async (texts) => {
      await insertMultiple(
        index,
        texts.map((text) => ({ text })),
      );
    },
    ready: async () => {},
    find: async (question) => (await search(index, { term: question, limit: 10 })).hits.length,
    [Symbol.asyncDispose]: async () => {},
  };
}
