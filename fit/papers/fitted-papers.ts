/**
 * Reads the documents to which weights of the engine are fitted, with their correct values: the
 * documents of this project (`fit/papers`) and the set papers-a.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { dataFolder } from "../../bench/data.ts";
import type { LeafValue } from "../../server/src/engine/engine.ts";
import type { Document } from "../../server/src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import type { ReadableExtension } from "../../server/src/reading/reader.ts";
import { authorOf, evaluationAuthors, paramsOf, readPapers } from "./papers.ts";
import { printPaper } from "./print-paper.ts";

/** Values of a list row, by the name of their item field. */
export type TrueRow = Readonly<Record<string, LeafValue>>;

export interface FittedPaper {
  name: string;
  /** Author of one of this project's documents, otherwise the name of the set. */
  author: string;
  kind: string;
  /** Language code without the country, such as `de`. */
  language: string;
  params: ExtractionParam[];
  /**
   * Correct values of each single field. The first is the one printed on the document; null if the
   * document does not have the field.
   */
  fields: ReadonlyMap<string, readonly LeafValue[]>;
  lists: Readonly<Record<string, readonly TrueRow[]>>;
  /**
   * Returns the path of the document's file. Prints the document as a PDF first if that has not
   * been done.
   */
  open(): string;
}

const cacheFolder = join(import.meta.dirname, "../../bench/out/fit");

/**
 * Returns the documents to which the ranking of values is fitted, and those of the held-out author
 * 07.
 */
export const readFittedPapers = (): FittedPaper[] => [...ownPapers(), ...papersA()];

/**
 * Returns the documents of the first seven authors and papers-a: those that existed when kinds,
 * parties, boundaries and confidence were last fitted.
 */
export const readFirstPapers = (): FittedPaper[] =>
  readFittedPapers().filter(({ author }) => author === "papers-a" || author <= lastFirstAuthor);

const lastFirstAuthor = "07";

/**
 * Yields each file with its Document. Documents are cached in `bench/out/fit`: delete that folder
 * after changing a file or code in `reading/`.
 */
export async function* withDocuments<File extends Pick<FittedPaper, "name" | "open">>(
  files: readonly File[],
): AsyncGenerator<[File, Document]> {
  mkdirSync(cacheFolder, { recursive: true });
  const reader = openReader(defaultReadingSettings);
  try {
    for (const file of files) {
      const cached = join(cacheFolder, `${file.name}.json`);
      if (!existsSync(cached)) {
        const path = file.open();
        const type = path.slice(path.lastIndexOf(".") + 1) as ReadableExtension;
        writeFileSync(cached, JSON.stringify(await reader.read(path, type, { background: true })));
      }
      yield [file, JSON.parse(readFileSync(cached, "utf8"))];
    }
  } finally {
    await reader.close();
  }
}

export const ownPapers = (): FittedPaper[] =>
  readPapers()
    .filter((paper) => !evaluationAuthors.includes(authorOf(paper)))
    .map((paper) => ({
      name: paper.name,
      author: authorOf(paper),
      kind: paper.kind,
      language: paper.language.slice(0, 2),
      params: paramsOf(paper),
      fields: new Map(paper.fields.map(({ name, value, accept = [] }) => [name, [value, ...accept]])),
      lists: Object.fromEntries(paper.lists.map(({ name, rows }) => [name, rows])),
      open: () => printPaper(paper, cacheFolder),
    }));

interface TruthFile {
  file: string;
  kind: string;
  language: string;
  fields: Record<string, LeafValue>;
  accept?: Record<string, LeafValue[]>;
  lists: Record<string, TrueRow[]>;
}

function papersA(): FittedPaper[] {
  const folder = join(dataFolder, "papers-a");
  const names = readdirSync(join(folder, "truth")).sort();
  return names.map((name) => {
    const truth: TruthFile = JSON.parse(readFileSync(join(folder, "truth", name), "utf8"));
    const fields = Object.entries(truth.fields).map(([field, value]): [string, LeafValue[]] => [
      field,
      [value, ...(truth.accept?.[field] ?? [])],
    ]);
    return {
      name: name.replace(/\.json$/, ""),
      author: "papers-a",
      kind: truth.kind,
      language: truth.language.slice(0, 2),
      params: JSON.parse(readFileSync(join(folder, "params", name), "utf8")),
      fields: new Map(fields),
      lists: truth.lists,
      open: () => join(folder, "docs", truth.file),
    };
  });
}
