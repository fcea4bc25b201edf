/** Makes the examples that the forest is fitted to: the values of papers with known truth. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { dataFolder } from "../../bench/data.ts";
import type { LeafValue } from "../../server/src/engine/engine.ts";
import { readAskedFields } from "../../server/src/engine/extract/labels/asked-fields.ts";
import { partyViewOf } from "../../server/src/engine/extract/parties/party-view.ts";
import type { PoolValue } from "../../server/src/engine/extract/ranking/pool-value.ts";
import { rankByRules } from "../../server/src/engine/extract/ranking/rank-by-rules.ts";
import { describeValues, isRankedByForest } from "../../server/src/engine/extract/ranking/rank-values.ts";
import type { Document } from "../../server/src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import type { ReadableExtension } from "../../server/src/reading/reader.ts";
import { authorOf, paramsOf, readPapers } from "../papers/papers.ts";
import { printPaper } from "../papers/print-paper.ts";
import { isSame } from "../papers/same-value.ts";
import { mulberry32 } from "../random.ts";

/** A field of a paper, with the values that may fill it. */
export interface Example {
  paper: string;
  /** Author for our own papers, otherwise the name of the set. */
  author: string;
  kind: string;
  language: string;
  field: string;
  format: ExtractionParam["format"];
  /** True if the paper does not have the value. */
  isNull: boolean;
  /** True for a field of another paper. */
  isStrange: boolean;
  values: readonly { value: PoolValue; row: Float32Array; right: boolean }[];
}

interface Source {
  paper: string;
  author: string;
  kind: string;
  language: string;
  /** Returns the path of the document. */
  open(): string;
  params: ExtractionParam[];
  truth: ReadonlyMap<string, readonly LeafValue[]>;
}

const cacheFolder = join(import.meta.dirname, "../../bench/out/fit");

/**
 * Returns the examples of our own papers and of papers-a. Documents that were read before are kept
 * in `bench/out/fit`.
 */
export async function readExamples(): Promise<Example[]> {
  mkdirSync(cacheFolder, { recursive: true });
  const reader = openReader(defaultReadingSettings);
  const read = async ({ paper, open }: Source): Promise<Document> => {
    const cached = join(cacheFolder, `${paper}.json`);
    if (!existsSync(cached)) {
      const file = open();
      const type = file.slice(file.lastIndexOf(".") + 1) as ReadableExtension;
      const document = await reader.read(file, type, { background: true });
      writeFileSync(cached, JSON.stringify(document));
    }
    return JSON.parse(readFileSync(cached, "utf8"));
  };
  try {
    const sources = [...ownPapers(), ...papersA()];
    const random = mulberry32(3);
    const examples: Example[] = [];
    for (const source of sources) {
      const document = await read(source);
      examples.push(...examplesOf(source, document, false));
      examples.push(...examplesOf(withStrangeFields(source, sources, random), document, true));
    }
    return examples;
  } finally {
    await reader.close();
  }
}

function ownPapers(): Source[] {
  return readPapers().map((paper) => ({
    paper: paper.name,
    author: authorOf(paper),
    kind: paper.kind,
    language: paper.language.slice(0, 2),
    open: () => printPaper(paper, cacheFolder),
    params: paramsOf(paper),
    truth: new Map(paper.fields.map(({ name, value, accept = [] }) => [name, [value, ...accept]])),
  }));
}

interface OutsideTruth {
  fields: Record<string, LeafValue>;
  accept?: Record<string, LeafValue[]>;
  kind: string;
  language: string;
  file: string;
}

function papersA(): Source[] {
  const folder = join(dataFolder, "papers-a");
  return readdirSync(join(folder, "truth"))
    .sort()
    .map((name) => {
      const truth: OutsideTruth = JSON.parse(readFileSync(join(folder, "truth", name), "utf8"));
      const right = Object.entries(truth.fields).map(([field, value]): [string, LeafValue[]] => [
        field,
        [value, ...(truth.accept?.[field] ?? [])],
      ]);
      return {
        paper: name.replace(/\.json$/, ""),
        author: "papers-a",
        kind: truth.kind,
        language: truth.language.slice(0, 2),
        open: () => join(folder, "docs", truth.file),
        params: JSON.parse(readFileSync(join(folder, "params", name), "utf8")),
        truth: new Map(right),
      };
    });
}

/** Fields of papers of other kinds that each paper is asked for. */
const strangeFields = 6;

/**
 * Returns the paper with fields of other kinds of papers, which it hardly has: so the forest learns
 * what is absent.
 */
function withStrangeFields(source: Source, sources: readonly Source[], random: () => number): Source {
  const others = sources.filter(({ kind, author }) => kind !== source.kind && author === source.author);
  const params = Array.from({ length: strangeFields }, () => {
    const other = others[Math.floor(random() * others.length)];
    const singles = other?.params.filter(({ format }) => format !== "list") ?? [];
    return singles[Math.floor(random() * singles.length)];
  }).filter((param) => param !== undefined);
  return { ...source, params, truth: new Map(params.map(({ name }) => [name, [null]])) };
}

function examplesOf(
  { paper, author, kind, language, params, truth }: Source,
  document: Document,
  isStrange: boolean,
): Example[] {
  const fields = readAskedFields(params);
  const view = partyViewOf(document, fields);
  return describeValues(rankByRules(fields, view), view).flatMap(({ query, values }) => {
    const right = truth.get(query.name);
    if (right === undefined || !isRankedByForest(query)) return [];
    const isNull = right[0] === null;
    const judged = values.map(({ value, row }) => ({
      value,
      row,
      right: !isNull && right.some((each) => isSame(value.value, each, query.format)),
    }));
    return [
      { paper, author, kind, language, field: query.name, format: query.format, isNull, isStrange, values: judged },
    ];
  });
}
