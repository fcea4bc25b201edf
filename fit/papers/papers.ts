/** Reads the invented documents of this folder. See README.md. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ExtractionParam, ParamFormat } from "@sheaf/contract/params.ts";
import type { LeafValue } from "../../server/src/engine/engine.ts";

interface PaperFile {
  kind: string;
  language: string;
  fields: { name: string; format: ParamFormat; description: string; value: LeafValue; accept?: LeafValue[] }[];
  lists?: { name: string; description: string; items: ExtractionParam[]; rows: Record<string, LeafValue>[] }[];
}

export interface Paper extends Required<PaperFile> {
  /** Author and number, such as `03-12`. */
  name: string;
  /** Path of the HTML file. */
  page: string;
}

/**
 * Held-out author: nothing is fitted to the documents of this author, and each fit is measured on
 * them.
 */
export const heldOutAuthor = "07";
/**
 * Held-out authors. Their documents are never read during fitting: only `npm run quality --
 * own-papers` uses them.
 */
export const evaluationAuthors: readonly string[] = ["08", "09", "10", "18", "23", "24", "25", "26"];

export const authorOf = ({ name }: Paper): string => name.slice(0, 2);

export const readPapers = (): Paper[] => papersIn(import.meta.dirname);

/**
 * Returns the documents of a folder in which several documents share a layout. The name of a
 * document starts with the name of its layout.
 */
export const readLayouts = (folder = join(import.meta.dirname, "../layouts")): Paper[] => papersIn(folder);

function papersIn(folder: string): Paper[] {
  const paths = globSync(join(folder, "*/*.json")).sort();
  return paths.map((path) => readPaper(path, `${basename(dirname(path))}-${basename(path, ".json")}`));
}

/** Reads the JSON file of a document. */
export function readPaper(path: string, name: string): Paper {
  const file: PaperFile = JSON.parse(readFileSync(path, "utf8"));
  return { lists: [], ...file, name, page: path.replace(/\.json$/, ".html") };
}

/** Returns the fields and lists that users of the document ask for. */
export const paramsOf = ({ fields, lists }: Paper): ExtractionParam[] => [
  ...fields.map(({ name, format, description }): ExtractionParam => ({ name, format, description })),
  ...lists.map(({ rows: _, ...list }): ExtractionParam => ({ ...list, format: "list" })),
];
