/**
 * `npm run quality -- textract`: words found and words invented by the reading of files whose text is known, beside pdftotext where it
 * reads the format.
 */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { pageText } from "../../server/src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/host.ts";
import { type ReadableExtension, ReadingError } from "../../server/src/reading/reader.ts";
import { dataFolder } from "../data.ts";

interface ManifestEntry {
  id: string;
  file: string;
  class: string;
}

interface Score {
  documents: number;
  /** Share of the words of the reference that were found: the mean of the documents. */
  recall: number;
  /** Share of the words found that are in the reference. That of docx and xlsx holds no numbers of lists and sheets, headers or notes. */
  precision: number;
  no_reference: { documents: number; gave_text: number };
  rows: { id: string; recall: number; precision: number }[];
}

interface Scorer {
  scoreText(texts: Record<string, string>, folder: string, kind?: string): Score;
}

type Texts = Record<string, string>;

const folder = join(dataFolder, "textract");

/** Prints a table of the classes and the `errors` documents with the least recall; keeps the texts in `outFolder`. */
export async function runTextract(outFolder: string, errors: number): Promise<void> {
  const manifest: ManifestEntry[] = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  const scorer: Scorer = await import(pathToFileURL(join(dataFolder, "../score/score_text.mjs")).href);
  const ours = await readAll(manifest);
  const theirs = await pdftotextAll(manifest.filter(({ file }) => file.endsWith(".pdf")));
  await mkdir(outFolder, { recursive: true });
  await writeFile(join(outFolder, "textract.json"), JSON.stringify(ours));
  const classes = [...new Set(manifest.map((entry) => entry.class))];
  console.table(Object.fromEntries(classes.flatMap((name) => rowsOf(name, scorer, ours, theirs))));
  const worst = scorer.scoreText(ours, folder).rows.toSorted((a, b) => a.recall - b.recall);
  for (const row of worst.slice(0, errors)) console.log(JSON.stringify(row));
}

/** A row of ours, and one of pdftotext where that reads the class. */
function rowsOf(name: string, scorer: Scorer, ours: Texts, theirs: Texts): [string, object][] {
  const row = (texts: Texts): object => {
    const { documents, recall, precision, no_reference } = scorer.scoreText(texts, folder, name);
    return {
      documents,
      recall,
      precision,
      "without reference": no_reference.documents,
      "gave text": no_reference.gave_text,
    };
  };
  const rows: [string, object][] = [[name, row(ours)]];
  if (name === "text" || name === "rtl") rows.push([`${name} (pdftotext)`, row(theirs)]);
  return rows;
}

async function readAll(manifest: readonly ManifestEntry[]): Promise<Texts> {
  const texts: Texts = {};
  const reader = openReader(defaultReadingSettings);
  try {
    await Promise.all(
      manifest.map(async ({ id, file }) => {
        const extension = file.slice(file.lastIndexOf(".") + 1) as ReadableExtension;
        try {
          texts[id] = (await reader.read(join(folder, file), extension)).pages.map(pageText).join("\n");
        } catch (error) {
          if (!(error instanceof ReadingError)) throw error;
          console.log(`${id}: ${error.reason}`);
        }
      }),
    );
  } finally {
    await reader.close();
  }
  return texts;
}

async function pdftotextAll(entries: readonly ManifestEntry[]): Promise<Texts> {
  const texts: Texts = {};
  for (const { id, file } of entries) {
    const answer = await promisify(execFile)("pdftotext", [join(folder, file), "-"], { maxBuffer: 2 ** 28 }).catch(
      () => undefined,
    );
    texts[id] = answer?.stdout ?? "";
  }
  return texts;
}
