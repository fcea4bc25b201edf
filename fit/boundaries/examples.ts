/** Pairs of pages in joined files, with the truth whether a document starts at the second. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../../bench/data.ts";
import { featuresOfPages } from "../../server/src/engine/classify/boundaries.ts";
import type { BoundaryFeatures } from "../../server/src/engine/classify/boundary-weights.ts";
import { factsOf, type PageFacts } from "../../server/src/engine/classify/page-facts.ts";
import { ownPapers, withDocuments } from "../papers/fitted-papers.ts";
import { mulberry32 } from "../random.ts";

export interface Example {
  /** Author of our own papers, otherwise the name of the set. */
  source: string;
  /** Name of the joined file. */
  file: string;
  features: BoundaryFeatures;
  starts: boolean;
}

interface JoinedFile {
  source: string;
  name: string;
  /** Numbers of the pages, from 1, at which documents start. */
  starts: ReadonlySet<number>;
  open(): string;
}

/** Documents in a joined file of our own papers, as many as in those of the sets. */
const perFile = 5;

/** Returns all pairs, in a fixed order. The papers of an author are joined in random order. */
export async function readExamples(): Promise<Example[]> {
  const examples: Example[] = [];
  for await (const [{ source, name, starts }, { pages }] of withDocuments(joinedFiles())) {
    const facts = pages.map((page) => factsOf(page).facts);
    examples.push(...examplesOf(source, name, facts, starts));
  }
  const random = mulberry32(1);
  for (const [author, documents] of await factsByAuthor()) {
    const shuffled = documents
      .map((pages) => ({ pages, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ pages }) => pages);
    for (let at = 0; at < shuffled.length; at += perFile) {
      const joined = shuffled.slice(at, at + perFile);
      const starts = new Set<number>();
      let next = 1;
      for (const pages of joined) {
        starts.add(next);
        next += pages.length;
      }
      examples.push(...examplesOf(author, `${author} from ${at}`, joined.flat(), starts));
    }
  }
  return examples;
}

const examplesOf = (source: string, file: string, facts: PageFacts[], starts: ReadonlySet<number>): Example[] =>
  featuresOfPages(facts).flatMap((features, at) =>
    features ? [{ source, file, features, starts: starts.has(at + 1) }] : [],
  );

async function factsByAuthor(): Promise<Map<string, PageFacts[][]>> {
  const authors = new Map<string, PageFacts[][]>();
  for await (const [{ author }, { pages }] of withDocuments(ownPapers()))
    authors.set(author, [...(authors.get(author) ?? []), pages.map((page) => factsOf(page).facts)]);
  return authors;
}

function joinedFiles(): JoinedFile[] {
  const segments: { files: TruthFiles } = readTruth("segments/truth.json");
  const joined: TruthFiles = readTruth("papers-a/joined/truth.json");
  return [...filesOf("segments", segments.files, "segments/pdf"), ...filesOf("papers-a", joined, "papers-a/joined")];
}

type TruthFiles = Record<string, { segments: { start: number; end: number }[] }>;

const readTruth = <T>(path: string): T => JSON.parse(readFileSync(join(dataFolder, path), "utf8"));

const filesOf = (source: string, files: TruthFiles, folder: string): JoinedFile[] =>
  Object.entries(files).map(([file, { segments }]) => ({
    source,
    name: file.replace(/\.pdf$/, ""),
    starts: new Set(segments.map(({ start }) => start)),
    open: () => join(dataFolder, folder, file),
  }));
