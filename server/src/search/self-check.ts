/** Checks an index by searching for passages by their own words: an index that loses rows does not find them. */
import { type Engine, PassageTable, type SampledPassage } from "./passage-table.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { hitOf, termsOf } from "./terms-column.ts";

/** Rarest terms of a passage that it is searched by. */
const termsAsked = 5;
/** Minimum limit of a real query. */
const hitsAsked = 36;
/** Passages looked up after each optimization, and as many again of those at the end of the table, which were written last: 3 ms each. */
const sampled = 4;
/** Rows read at once when all documents are checked. */
const batchSize = 2_000;

/** References of documents that should be found by a few passages of the table, taken at random and from its end, and are not. */
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

/** As `missedInSample`, with the first passage of every document. */
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

/** A passage may be missing among the hits only if as many others have at least its score, as copies of a document have. */
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
  // Scores are sums of 32-bit floats in any order.
  if (own && hits.length === hitsAsked && own.score <= least * 1.0001) return true;
  return !(await table.holds(document));
}

/** Whether every row of a table can be read, and some passages are found by their own words. Opens it with nothing in memory. */
export async function isSound(engine: Engine, name: string): Promise<boolean> {
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
    // Anything that cannot be read or parsed.
    return false;
  } finally {
    connection.close();
  }
}
