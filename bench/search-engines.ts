/**
 * Full-text search engines that index the same passages. Each returns the ten best passages that
 * contain any word of a question, best first.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create, insertMultiple, search } from "@orama/orama";
import MiniSearch from "minisearch";
import pg from "pg";
import { openPassageIndex } from "../server/src/search/passage-index.ts";
import type { Passage } from "../server/src/search/passages.ts";

export const postgresName = "PostgreSQL tsvector";

export interface MeasuredEngine extends AsyncDisposable {
  /** Adds a document of 200 passages. */
  add(passages: readonly Passage[]): Promise<void>;
  /** Must be called after all passages were added. */
  finish(): Promise<void>;
  /** Returns the number of hits. */
  find(question: string): Promise<number>;
}

/** Engines by name, with ours first. Each engine gets a separate folder. */
export const engines: Readonly<Record<string, (folder: string) => Promise<MeasuredEngine>>> = {
  Sheaf: sheaf,
  "SQLite FTS5": sqliteFts5,
  [postgresName]: postgres,
  MiniSearch: miniSearch,
  Orama: orama,
};

async function sheaf(folder: string): Promise<MeasuredEngine> {
  const index = await openPassageIndex({ folder });
  let documents = 0;
  return {
    add: async (passages) => {
      const reference = `d${documents++}`;
      await index.put("one", { reference, name: `report-${reference}.pdf`, path: "reports" }, passages);
    },
    finish: async () => {},
    find: async (text) => (await index.search("one", { text, limit: 10 })).length,
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

async function sqliteFts5(folder: string): Promise<MeasuredEngine> {
  const db = new DatabaseSync(join(folder, "fts5.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA cache_size = -200000");
  db.exec("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize = 'porter unicode61')");
  const insert = db.prepare("INSERT INTO passages (text) VALUES (?)");
  const select = db.prepare("SELECT text FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT 10");
  return {
    add: async (passages) => {
      db.exec("BEGIN");
      for (const { text } of passages) insert.run(text);
      db.exec("COMMIT");
    },
    finish: async () => db.exec("INSERT INTO passages (passages) VALUES ('optimize')"),
    find: async (question) =>
      select.all(
        wordsOf(question)
          .map((word) => `"${word}"`)
          .join(" OR "),
      ).length,
    [Symbol.asyncDispose]: async () => db.close(),
  };
}

async function postgres(): Promise<MeasuredEngine> {
  const client = new pg.Client(process.env.TEST_POSTGRES_URL);
  await client.connect();
  await client.query("CREATE TEMP TABLE bench_passages (text text, terms tsvector)");
  return {
    add: async (passages) => {
      await client.query(
        "INSERT INTO bench_passages SELECT t, to_tsvector('english', t) FROM unnest($1::text[]) AS t",
        [passages.map(({ text }) => text)],
      );
    },
    finish: async () => {
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

async function miniSearch(): Promise<MeasuredEngine> {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ["text"] });
  let id = 0;
  return {
    add: async (passages) => index.addAll(passages.map(({ text }) => ({ id: id++, text }))),
    finish: async () => {},
    find: async (question) => index.search(question).slice(0, 10).length,
    [Symbol.asyncDispose]: async () => index.removeAll(),
  };
}

async function orama(): Promise<MeasuredEngine> {
  const index = create({ schema: { text: "string" } as const });
  return {
    add: async (passages) => {
      await insertMultiple(
        index,
        passages.map(({ text }) => ({ text })),
      );
    },
    finish: async () => {},
    find: async (question) => (await search(index, { term: question, limit: 10 })).hits.length,
    [Symbol.asyncDispose]: async () => {},
  };
}
