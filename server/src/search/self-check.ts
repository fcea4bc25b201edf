/**
 * Checks an index by searching for passages by their own words. If the index has lost the row of a
 * passage, the passage is not found.
 */
import { PassageTable, type SampledPassage, type SearchEngine } from "./passage-table.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { hitOf, termsOf } from "./terms-column.ts";

/** Number of terms in a query. The rarest terms of the passage are used. */
const termsAsked = 5;
/** Limit of each query. It is the lowest limit that real queries have. */
const hitsAsked = 36;
/**
 * Number of random passages that are checked after each optimization. The same number of passages
 * is checked at the end of the table, where the latest writes are. Each check takes 3 ms.
 */
const sampled = 4;
/** Number of rows that are read at a time when all documents are checked. */
const batchSize = 2_000;

/**
 * Checks a few random passages, and a few at the end of the table. Returns the documents that are
 * not found by their own words.
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

/**
 * Checks the first passage of every document. Returns the documents that are not found by their own
 * words.
 */
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
 * Two scores count as equal if their ratio is below this value. Scores vary a little, because the
 * engine adds 32-bit floats in varying order.
 */
const roundingFactor = 1.0001;

/**
 * Returns true if the passage is found, or if there is a good reason why it is not: it was deleted,
 * or enough other passages have the same score or a higher one, such as copies of its document.
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
  if (own && hits.length === hitsAsked && own.score <= least * roundingFactor) return true;
  return !(await table.holds(document));
}

/**
 * Returns true if every row of a table can be read, and each passage of a sample is found by its
 * own words. The table is opened without caches.
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
    // An error means that a row can't be read or parsed.
    return false;
  } finally {
    connection.close();
  }
}
