/**
 * Reads the training examples: pages of files that consist of several documents. Each page is
 * labelled with whether a document starts there.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../../bench/data.ts";
import { featuresOfPages } from "../../server/src/engine/classify/boundaries.ts";
import type { BoundaryFeatures } from "../../server/src/engine/classify/boundary-weights.ts";
import { factsOf, type PageFacts } from "../../server/src/engine/classify/page-facts.ts";
import { readFirstPapers, withDocuments } from "../papers/fitted-papers.ts";
import { inRandomOrder, mulberry32 } from "../random.ts";

export interface Example {
  /**
   * Source of the page: `author 01` and so on for the documents of this project, otherwise the name
   * of the set.
   */
  source: string;
  features: BoundaryFeatures;
  /** True if a document starts at this page. */
  starts: boolean;
}

/**
 * Number of documents that are joined into one file: about as many as in the files of the other
 * sets.
 */
const perFile = 5;

/** Returns an example for each page, except the first of each file, in a fixed order. */
export async function readExamples(): Promise<Example[]> {
  const examples: Example[] = [];
  const joined = [
    ...joinedFiles("segments", "segments/pdf", readTruth("segments/truth.json").files),
    ...joinedFiles("papers-a", "papers-a/joined", readTruth("papers-a/joined/truth.json")),
  ];
  for await (const [{ source, starts }, { pages }] of withDocuments(joined))
    examples.push(
      ...examplesOf(
        source,
        pages.map((page) => factsOf(page).facts),
        pages.map((_, at) => starts.has(at + 1)),
      ),
    );
  const random = mulberry32(1);
  for (const [author, documents] of await ownDocuments()) {
    const inOrder = inRandomOrder(documents, random);
    for (let at = 0; at < inOrder.length; at += perFile) {
      const file = inOrder.slice(at, at + perFile);
      const starts = file.flatMap((pages) => pages.map((_, page) => page === 0));
      examples.push(...examplesOf(`author ${author}`, file.flat(), starts));
    }
  }
  return examples;
}

const examplesOf = (source: string, pages: readonly PageFacts[], starts: readonly boolean[]): Example[] =>
  featuresOfPages(pages).flatMap((features, at) =>
    features ? [{ source, features, starts: starts[at] === true }] : [],
  );

/** Returns the pages of this project's own documents, by author. */
async function ownDocuments(): Promise<Map<string, PageFacts[][]>> {
  const authors = new Map<string, PageFacts[][]>();
  for await (const [{ author }, { pages }] of withDocuments(
    readFirstPapers().filter((paper) => paper.author !== "papers-a"),
  )) {
    const documents = authors.get(author) ?? [];
    documents.push(pages.map((page) => factsOf(page).facts));
    authors.set(author, documents);
  }
  return authors;
}

type TruthOfFiles = Record<string, { segments: { start: number }[] }>;

const readTruth = (path: string) => JSON.parse(readFileSync(join(dataFolder, path), "utf8"));

/**
 * Returns the files of a set of joined documents, with the numbers of the pages at which documents
 * start, counted from 1.
 */
const joinedFiles = (source: string, folder: string, files: TruthOfFiles) =>
  Object.entries(files).map(([file, { segments }]) => ({
    source,
    name: file.replace(/\.pdf$/, ""),
    starts: new Set(segments.map(({ start }) => start)),
    open: () => join(dataFolder, folder, file),
  }));
