/**
 * `npm run quality -- squad2 piaf xquad cranfield`: measures whether search finds the correct
 * paragraph. Each paragraph is a document of one passage. Compares the ranking of the service with
 * plain BM25, using the same scorer.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openPassageIndex, type PassageIndex } from "../../server/src/search/passage-index.ts";
import { dataFolder } from "../data.ts";
import { type Paragraph, readLines } from "./answers.ts";

export interface Query {
  id: string;
  text: string;
}

/** Ids of paragraphs, best first, by query id. */
type Rankings = Record<string, string[]>;

interface Scores {
  queries: number;
  "recall@1": number;
  "recall@10": number;
  "mrr@10": number;
  "ndcg@10": number;
  map: number;
}

interface Scorer {
  readQrels(path: string): Record<string, Record<string, number>>;
  scoreRetrieval(rankings: Rankings, qrels: Record<string, Record<string, number>>): Scores;
}

interface Baseline {
  bm25(
    paragraphs: readonly Paragraph[],
    queries: readonly Query[],
    options: { k1: number; b: number; useStem?: boolean; bigrams?: boolean },
  ): Rankings;
}

/** Folders of the evaluation data that belong to a set. */
export const retrievalSets: Readonly<Record<string, readonly string[]>> = {
  squad2: ["squad2"],
  piaf: ["piaf"],
  xquad: ["en", "de", "es", "ru", "zh", "ar"].map((language) => `xquad/${language}`),
  cranfield: ["cranfield"],
};

const depth = 100;

/**
 * Prints a row per folder for the service, for plain BM25 and, in some folders, for stemmed BM25.
 * Also prints up to `errors` queries whose correct paragraph is not among the first ten.
 */
export async function runRetrieval(outFolder: string, names: readonly string[], errors: number): Promise<void> {
  const scorer: Scorer = await import(pathToFileURL(join(dataFolder, "../score/score_retrieval.mjs")).href);
  const { bm25 }: Baseline = await import(pathToFileURL(join(dataFolder, "../score/baseline_bm25.mjs")).href);
  await mkdir(outFolder, { recursive: true });
  const rows: Record<string, object> = {};
  for (const folder of names.flatMap((name) => retrievalSets[name] ?? [])) {
    const paragraphs = await readLines<Paragraph>(join(dataFolder, folder, "corpus.jsonl"));
    const queries = await readLines<Query>(join(dataFolder, folder, "queries.jsonl"));
    const qrels = scorer.readQrels(join(dataFolder, folder, "qrels.tsv"));
    const rankings = await rankingsOf(paragraphs, queries);
    await writeFile(join(outFolder, `retrieval-${folder.replace("/", "-")}.json`), JSON.stringify(rankings));
    const row = (of: Rankings): object => {
      const scores = scorer.scoreRetrieval(of, qrels);
      return Object.fromEntries(
        (["queries", "recall@1", "recall@10", "mrr@10", "ndcg@10", "map"] as const).map((name) => [name, scores[name]]),
      );
    };
    rows[folder] = row(rankings);
    rows[`${folder} (plain BM25)`] = row(
      bm25(paragraphs, queries, { k1: 0.9, b: 0.4, bigrams: folder === "xquad/zh" }),
    );
    if (/squad2|cranfield|\/en/.test(folder))
      rows[`${folder} (BM25, stemmed)`] = row(bm25(paragraphs, queries, { k1: 1.2, b: 0.75, useStem: true }));
    const misses = queries.filter(({ id }) => !rankings[id]?.slice(0, 10).some((found) => qrels[id]?.[found]));
    for (const { id, text } of misses.slice(0, errors)) console.log(folder, id, text, Object.keys(qrels[id] ?? {}));
  }
  console.table(rows);
}

/** Ranks the paragraphs with the passage index alone, in a temporary folder. */
async function rankingsOf(paragraphs: readonly Paragraph[], queries: readonly Query[]): Promise<Rankings> {
  const rankings: Rankings = {};
  for await (const [id, hits] of searchParagraphs(paragraphs, queries)) rankings[id] = hits.map((hit) => hit.document);
  return rankings;
}

/** Indexes each paragraph as a document of one passage. Yields the best hits of each query. */
export async function* searchParagraphs(
  paragraphs: readonly Paragraph[],
  queries: readonly Query[],
): AsyncGenerator<[query: string, hits: Awaited<ReturnType<PassageIndex["search"]>>]> {
  const folder = await mkdtemp(join(tmpdir(), "retrieval-"));
  try {
    await using index = await openPassageIndex({ folder });
    for (const { id, title = "", text } of paragraphs) {
      const passage = { page: 1, start: 0, end: 0, text, title, headings: [] };
      await index.put("quality", { reference: id, name: title, path: "" }, [passage]);
    }
    for (const { id, text } of queries) yield [id, await index.search("quality", { text, limit: depth })];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
