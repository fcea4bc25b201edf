/**
 * Tests LanceDB itself, without our code. LanceDB 0.31.0 failed to return the best hit of some
 * queries after `optimize` had left the index in two parts. We may adopt a new version of LanceDB
 * only if it passes this test.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadLance } from "./lance.ts";

/** Number of rows appended after the index was built. */
const appended = 9;
const queries = 50;
/**
 * Number of builds for each size. Several builds are needed, because it is random which part of the
 * index is searched first. LanceDB 0.31.0 lost no hits if the small part was searched first.
 */
const builds = 8;
/**
 * Each query is run with each of these limits on the number of hits. With small limits, the parts
 * of the index share a score threshold. The service uses the last limit.
 */
const limits = [1, 5, 36];

/**
 * Number of rows for each topic. The rows of a topic have words in common, so that other rows
 * compete with the best hit of a query. Also, words are then rarer in one part of the index than in
 * the other part.
 */
const rowsOfTopic = 60;
const wordsOfTopic = 30;

/**
 * Returns a pseudo-random number generator (linear congruential, 31 bits) that yields the same
 * numbers in every run.
 */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/**
 * Builds a table and its index, adds rows, and optimizes the index. Returns, for each limit, the
 * number of queries that fail to return the best hit.
 */
async function missedOf(size: number): Promise<number[]> {
  const { connect, Index, MatchQuery } = await loadLance();
  const random = numbersFrom(7);
  const topics = Math.max(1, Math.floor(size / rowsOfTopic));
  const word = (topic: number) => `t${topic}w${Math.floor(random() * wordsOfTopic)}`;
  const rows = Array.from({ length: size + appended }, (_, id) => ({
    id,
    terms: [`unique${id}`, ...Array.from({ length: 20 }, () => word(id % topics))].join(" "),
  }));
  const folder = await mkdtemp(join(tmpdir(), "lance-"));
  try {
    const connection = await connect(folder);
    const table = await connection.createTable("rows", rows.slice(0, size));
    const config = Index.fts({ baseTokenizer: "whitespace", lowercase: false, stem: false, removeStopWords: false });
    await table.createIndex("terms", { config });
    await table.add(rows.slice(size));
    await table.optimize();
    const missed = limits.map(() => 0);
    for (let i = 0; i < queries; i++) {
      const [own = "", ...words] = rows[size + (i % appended)]?.terms.split(" ") ?? [];
      const text = [own, ...Array.from({ length: 9 }, () => words[Math.floor(random() * words.length)])].join(" ");
      const bestAmong = async (limit: number): Promise<number> => {
        const search = table.query().fullTextSearch(new MatchQuery(text, "terms")).select(["_score"]);
        return Math.max(...(await search.limit(limit).toArray()).map(({ _score }) => _score as number));
      };
      // If the limit is as large as the table, no hit is dropped early.
      const best = await bestAmong(2 * rows.length);
      for (const [at, limit] of limits.entries())
        if ((await bestAmong(limit)) < best * 0.9999) missed[at] = (missed[at] ?? 0) + 1;
    }
    connection.close();
    return missed;
  } finally {
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
}

for (const size of [300, 2_700])
  test(`an index over ${size} rows and ${appended} appended rows finds the best hit of every query`, {
    timeout: 120_000,
  }, async (t) => {
    const missed = limits.map(() => 0);
    for (let build = 0; build < builds; build++)
      for (const [at, count] of (await missedOf(size)).entries()) missed[at] = (missed[at] ?? 0) + count;
    const counts = limits.map((limit, at) => `${missed[at]} at limit ${limit}`).join(", ");
    t.diagnostic(`missed of ${builds * queries}: ${counts}`);
    assert.deepEqual(
      missed,
      limits.map(() => 0),
    );
  });
