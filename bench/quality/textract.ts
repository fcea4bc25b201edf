/**
 * `npm run quality -- textract`: reads files whose text is known. Measures how many words are
 * found, how many are invented, and how well their order matches the reference. Compares with
 * pdftotext for formats that it supports.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Document, type Page, pageText } from "../../server/src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import { type ReadableExtension, ReadingError } from "../../server/src/reading/reader.ts";
import { dataFolder } from "../data.ts";
import { pdftotext, type Witnesses, witnessesOf } from "./textract-witnesses.ts";

interface ManifestEntry {
  id: string;
  file: string;
  class: string;
  reference?: string;
}

interface Score {
  documents: number;
  /** Share (0–1) of the reference words that were found: the mean over all documents. */
  recall: number;
  /** Share (0–1) of the found words that are in the reference. */
  precision: number;
  no_reference: { documents: number; gave_text: number };
  rows: { id: string; recall: number; precision: number }[];
}

interface Scorer {
  scoreText(texts: Record<string, string>, folder: string, kind?: string): Score;
}

/** Holds what a reader found in a file. */
interface Reading {
  text: string;
  /**
   * Text of the pages that were read without OCR. Used for precision, because references contain no
   * text of scanned pages.
   */
  ownText: string;
}

type Readings = Record<string, Reading>;

const folder = join(dataFolder, "textract");
const { words } = (await import(pathToFileURL(join(dataFolder, "../score/lib.mjs")).href)) as {
  words(text: string): string[];
};

/**
 * Prints a table with one row per class of files, and another row for pdftotext in the classes
 * `text` and `rtl`. Also prints the `errors` documents with the lowest recall. Stores the texts in
 * `outFolder`.
 */
export async function runTextract(outFolder: string, errors: number): Promise<void> {
  const manifest: ManifestEntry[] = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  const scorer: Scorer = await import(pathToFileURL(join(dataFolder, "../score/score_text.mjs")).href);
  const ours = await readAll(manifest);
  const theirs = await pdftotextAll(manifest.filter(({ file }) => file.endsWith(".pdf")));
  const withReference = manifest.filter(({ reference }) => reference !== undefined);
  const witnesses = await witnessesOf(withReference.map(({ file }) => join(folder, file)));
  await mkdir(outFolder, { recursive: true });
  await writeFile(join(outFolder, "textract.json"), JSON.stringify(textsOf(ours)));
  const table: Record<string, object> = {};
  for (const kind of new Set(manifest.map((entry) => entry.class))) {
    const entries = withReference.filter((entry) => entry.class === kind);
    table[kind] = await rowOf(kind, entries, scorer, ours, witnesses);
    if (kind === "text" || kind === "rtl")
      table[`${kind} (pdftotext)`] = await rowOf(kind, entries, scorer, theirs, witnesses);
  }
  console.table(table);
  const worst = scorer.scoreText(textsOf(ours), folder).rows.toSorted((a, b) => a.recall - b.recall);
  for (const row of worst.slice(0, errors)) console.log(JSON.stringify(row));
}

const textsOf = (readings: Readings): Record<string, string> =>
  Object.fromEntries(Object.entries(readings).map(([id, { text }]) => [id, text]));

async function rowOf(
  kind: string,
  entries: readonly ManifestEntry[],
  scorer: Scorer,
  readings: Readings,
  witnesses: Witnesses,
): Promise<object> {
  const { documents, recall, precision, no_reference } = scorer.scoreText(textsOf(readings), folder, kind);
  const shown: number[] = [];
  const inOrder: number[] = [];
  for (const { id, file, reference = "" } of entries) {
    const expected = await readFile(join(folder, reference), "utf8");
    const { text, ownText } = readings[id] ?? { text: "", ownText: "" };
    shown.push(partShown(ownText, [expected, ...(witnesses.get(join(folder, file)) ?? [])]));
    inOrder.push(partInOrder(text, expected));
  }
  return {
    documents,
    recall,
    precision,
    "precision, all that is shown": mean(shown),
    "pairs in order": mean(inOrder),
    "without reference": no_reference.documents,
    "gave text": no_reference.gave_text,
  };
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10_000) / 10_000;
}

/**
 * Returns the share (0–1) of the words of `text` that another program finds too. A repeated word
 * counts at most as often as a program finds it.
 */
function partShown(text: string, witnesses: readonly string[]): number {
  const bags = witnesses.map(bagOf);
  let [all, right] = [0, 0];
  for (const [word, count] of bagOf(text)) {
    all += count;
    right += Math.min(count, Math.max(...bags.map((bag) => bag.get(word) ?? 0)));
  }
  return all === 0 ? 1 : right / all;
}

/**
 * Measures the order of words. Considers the pairs of adjacent words in the reference whose words
 * both occur in `text`. Returns the share (0–1) of these pairs that are also adjacent in `text`.
 */
function partInOrder(text: string, expected: string): number {
  const found = words(text);
  const known = new Set(found);
  const pairs = countsOf(pairsOf(found));
  let [all, right] = [0, 0];
  for (const [pair, count] of countsOf(pairsOf(words(expected)))) {
    if (!pair.split(" ").every((word) => known.has(word))) continue;
    all += count;
    right += Math.min(count, pairs.get(pair) ?? 0);
  }
  return all === 0 ? 1 : right / all;
}

const pairsOf = (list: readonly string[]): string[] => list.slice(1).map((word, index) => `${list[index]} ${word}`);
const bagOf = (text: string): Map<string, number> => countsOf(words(text));

function countsOf(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

async function readAll(manifest: readonly ManifestEntry[]): Promise<Readings> {
  const readings: Readings = {};
  const reader = openReader(defaultReadingSettings);
  try {
    await Promise.all(
      manifest.map(async ({ id, file }) => {
        const extension = file.slice(file.lastIndexOf(".") + 1) as ReadableExtension;
        try {
          readings[id] = readingOf(await reader.read(join(folder, file), extension));
        } catch (error) {
          if (!(error instanceof ReadingError)) throw error;
          console.log(`${id}: ${error.reason}`);
        }
      }),
    );
  } finally {
    await reader.close();
  }
  return readings;
}

function readingOf({ pages }: Document): Reading {
  const textOf = (some: readonly Page[]): string => some.map(pageText).join("\n");
  return { text: textOf(pages), ownText: textOf(pages.filter(({ source }) => source === "text")) };
}

async function pdftotextAll(entries: readonly ManifestEntry[]): Promise<Readings> {
  const readings: Readings = {};
  for (const { id, file } of entries) {
    const text = await pdftotext(join(folder, file));
    readings[id] = { text, ownText: text };
  }
  return readings;
}
