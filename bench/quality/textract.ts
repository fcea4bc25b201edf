/** Words found and words invented by the reading of files whose text is known. Runs alone too: `node bench/quality/textract.ts [docx|xlsx]`. */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Document, pageText } from "../../server/src/reading/document.ts";
import { readDocx } from "../../server/src/reading/docx/read-docx.ts";
import { ReadingError } from "../../server/src/reading/reader.ts";
import { readXlsx } from "../../server/src/reading/xlsx/read-xlsx.ts";
import { dataFolder } from "../data.ts";

/** Gives the document in the file at `path`, whose name ended in `extension`. */
export type ReadFile = (path: string, extension: string) => Document | Promise<Document>;

export interface TextScore {
  documents: number;
  /** Share of the words of the reference that were found, the mean of all documents. */
  recall: number;
  /** Share of the words found that are in the reference; it holds no numbers of lists and sheets, headers and notes. */
  precision: number;
  /** Documents that were refused, by identifier, and why. */
  refused: Record<string, string>;
}

interface ManifestEntry {
  id: string;
  file: string;
  class: string;
}

interface Scorer {
  scoreText(predictions: Record<string, string>, folder: string, kind?: string): Omit<TextScore, "refused">;
}

const folder = join(dataFolder, "textract");

/**
 * Reads all files of a class ("text" for PDFs with text, "docx", "xlsx"; all where none is given), keeps their texts in
 * `bench/out/textract.json`, and scores them with the scorer that stands beside the data.
 */
export async function scoreTextract(read: ReadFile, kind?: string): Promise<TextScore> {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as ManifestEntry[];
  const predictions: Record<string, string> = {};
  const refused: Record<string, string> = {};
  for (const entry of manifest.filter((each) => kind === undefined || each.class === kind)) {
    try {
      const document = await read(join(folder, entry.file), entry.file.slice(entry.file.lastIndexOf(".") + 1));
      predictions[entry.id] = document.pages.map(pageText).join("\n");
    } catch (error) {
      if (!(error instanceof ReadingError)) throw error;
      refused[entry.id] = error.reason;
    }
  }
  const out = join(import.meta.dirname, "../out");
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "textract.json"), JSON.stringify(predictions));
  const scorer: Scorer = await import(pathToFileURL(join(dataFolder, "../score/score_text.mjs")).href);
  const { documents, recall, precision } = scorer.scoreText(predictions, folder, kind);
  return { documents, recall, precision, refused };
}

/** Reads office files in this process. */
export const readOffice: ReadFile = (path, extension) =>
  extension === "docx" ? readDocx(readFileSync(path)) : readXlsx(readFileSync(path));

if (import.meta.main) {
  for (const kind of process.argv.length > 2 ? process.argv.slice(2) : ["docx", "xlsx"]) {
    console.log(kind, await scoreTextract(readOffice, kind));
  }
}
