/**
 * Checks an index by searching for passages by their own words. An index that has lost rows does
 * not find them.
 */
import { PassageTable, type SampledPassage, type SearchEngine } from "./passage-table.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { hitOf, termsOf } from "./terms-column.ts";

/** Number of rarest terms of a passage in its query. */
const termsAsked = 5;
/** Minimum limit of a real query. */
const hitsAsked = 36;
/**
 * Number of random passages checked after each optimization. As many are checked at the end of the
 * table, which holds the latest writes. Each takes 3 ms.
 */
const sampled = 4;
/** Rows per read when all documents are checked. */
const batchSize = 2_000;

/**
 * Returns the documents that their own words do not find, for a few passages at random and at the
 * end of the table.
 */
export async function missedInSample(table: PassageTable): Promise<string[]> {
  const { statistics, passages } = await table.statistics();
  const offsets = new Set<number>();
  for (let i = 0; i < Math.min(sampled, passages); i++) offsets.add(Math.floor(Math.random() * passages));
  for (let i = 1; i <= Math.min(sampled, passages); i++) offsets.add(passages - i);
  const missed: string[] = [];
  for (const offset of offsets)
    for (const passage of await table.passagesFrom(offset, 1))
      if (!(await isFound(table, passage, statistics))) missed.push(passage.document);
  return missed;
}

/** Does the same as `missedInSample` for the first passage of every document. */
export async function missedInAll(table: PassageTable): Promise<string[]> {
  const { statistics, passages } = await table.statistics();
  const seen = new Set<string>();
  const missed: string[] = [];
  for (let offset = 0; offset < passages; offset += batchSize)
    for (const passage of await table.passagesFrom(offset, batchSize)) {
      if (seen.has(passage.document)) continue;
      seen.add(passage.document);
      if (!(await isFound(table, passage, statistics))) missed.push(passage.document);
    }
  return missed;
}

/**
 * Returns whether the passage is found. It may be missing only if enough others score at least as
 * high, as copies of a document do, or if it was deleted.
 */
async function isFound(
  table: PassageTable,
  { document, terms }: SampledPassage,
  statistics: TermStatistics,
): Promise<boolean> {
  const rarest = [...new Set(termsOf(terms))]
    .map((term) => ({ term, share: statistics.shareOf(term) }))
    .toSorted((a, b) => a.share - b.share)
    .slice(0, termsAsked)
    .map(({ term }) => term);
  if (rarest.length === 0) return true;
  const hits = await table.scores(rarest, hitsAsked);
  if (hits.some((hit) => hit.document === document)) return true;
  const [own] = await table.scores(rarest, 1, document);
  const least = Math.min(...hits.map(({ score }) => score));
  // Scores are sums of 32-bit floats in any order, so they vary slightly.
  if (own && hits.length === hitsAsked && own.score <= least * 1.0001) return true;
  return !(await table.holds(document));
}

/**
 * Returns whether every row of a table can be read, and some passages are found by their own words.
 * Opens the table without caches.
 */
export async function isSound(engine: SearchEngine, name: string): Promise<boolean> {
  const connection = await engine.lance.connect(engine.folder);
  try {
    const table = await PassageTable.open(engine, connection, name);
    if (!table) return false;
    const passages = await table.countRows();
    for (let offset = 0; offset < passages; offset += batchSize)
      for (const { document, terms } of await table.passagesFrom(offset, batchSize))
        if (document !== "" && hitOf(terms).document !== document) return false;
    return (await missedInSample(table)).length === 0;
  } catch {
    // A row can't be read or parsed.
    return false;
  } finally {
    connection.close();
  }
}
