/**
 * `npm run quality -- sroie`: extracts from photographs and scans of receipts with the command-line
 * program. Compares the values and words with those that people transcribed. Includes variants of
 * the scans: rotated, skewed, small, and in other formats.
 */
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import { readableExtensions } from "../../server/src/reading/reader.ts";
import { dataFolder } from "../data.ts";
import { bagOf, wordF1, zeroCounts } from "./word-f1.ts";

/** A receipt: its name, its file, and the id of its transcript. */
export interface Receipt {
  id: string;
  path: string;
  transcript: string;
}

interface Scorer {
  scoreKie(pred: unknown, truth: unknown, options: object): { misses: object[]; [key: string]: unknown };
}

interface Output {
  status: string;
  error?: string;
  data?: object[];
  metadata: { filename: string };
}

const folder = join(dataFolder, "sroie");

/** Prints scores, and up to `errors` wrong values. Stores the extractions in `outFolder`. */
export async function runSroie(outFolder: string, errors: number): Promise<void> {
  const scorer: Scorer = await import(pathToFileURL(join(dataFolder, "../score/score_kie.mjs")).href);
  const truth = await readJson<Record<string, object>>("truth.json");
  const images = await receipts();
  const known = Object.fromEntries(images.map(({ id }) => [id, truth[id]]));
  await runPart("images", images, known, { scorer, outFolder, errors });
  const variants = await receiptVariants();
  await runPart("variants", variants, await readJson("variants.json"), { scorer, outFolder, errors });
}

/** Returns the receipts without changes. */
export async function receipts(): Promise<Receipt[]> {
  const ids = await readJson<string[]>("with_images.json");
  return ids.map((id) => ({ id, path: join(folder, "images", `${id}.jpg`), transcript: id }));
}

async function receiptVariants(): Promise<Receipt[]> {
  const variants = await readJson<{ file: string; source: string }[]>("variants.json");
  return variants.map(({ file, source }) => ({ id: file, path: join(folder, file), transcript: source }));
}

interface Run {
  scorer: Scorer;
  outFolder: string;
  errors: number;
}

async function runPart(name: string, files: Receipt[], truth: unknown, { scorer, outFolder, errors }: Run) {
  console.log(`\n## ${name}`);
  const outputs = await extract(files.map(({ path }) => path));
  const predictions = Object.fromEntries(files.map(({ id }, index) => [id, outputs[index]?.data?.[0] ?? {}]));
  for (const { status, error, metadata } of outputs) {
    if (status !== "success") console.log(`${metadata.filename}: ${error}`);
  }
  await mkdir(outFolder, { recursive: true });
  await writeFile(join(outFolder, `sroie-${name}.json`), JSON.stringify(predictions, undefined, 1));
  const { misses, fields, ...totals } = scorer.scoreKie(predictions, truth, { dates: "dmy" });
  console.table(fields);
  console.log(totals);
  for (const miss of misses.slice(0, errors)) console.log(JSON.stringify(miss));
  await printWords(files);
}

async function extract(paths: string[]): Promise<Output[]> {
  const main = join(import.meta.dirname, "../../server/src/main.ts");
  const params = join(import.meta.dirname, "sroie.params.json");
  const child = spawn(process.execPath, [main, "extract", ...paths, "--params", params], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const outputs: Output[] = [];
  for await (const line of createInterface({ input: child.stdout })) outputs.push(JSON.parse(line) as Output);
  return outputs;
}

/**
 * Prints the scores of words for all receipts, and separately for every second receipt and for the
 * others. The weights of the second recognizer were chosen on every second receipt.
 */
async function printWords(files: readonly Receipt[]): Promise<void> {
  const counts = zeroCounts();
  const halves = { chosen: zeroCounts(), other: zeroCounts() };
  const perFile: { id: string; f1: number }[] = [];
  const reader = openReader(defaultReadingSettings);
  try {
    await Promise.all(
      files.map(async (file, index) => {
        const found = bagOf((await wordsOf(reader, file.path)).join(" "));
        const expected = await transcriptOf(file);
        const one = zeroCounts();
        for (const each of [one, counts, index % 2 === 0 ? halves.chosen : halves.other]) each.add(found, expected);
        perFile.push({ id: file.id, f1: wordF1(one) });
      }),
    );
  } finally {
    await reader.close();
  }
  console.log(`words         F1 ${wordF1(counts).toFixed(4)} against the transcripts (${counts.expected} words)`);
  console.log(`halves        F1 ${wordF1(halves.chosen).toFixed(4)} and ${wordF1(halves.other).toFixed(4)}`);
  const worst = perFile.toSorted((a, b) => a.f1 - b.f1).slice(0, 5);
  console.log(`worst         ${worst.map(({ id, f1 }) => `${id} ${f1.toFixed(2)}`).join(", ")}`);
}

async function wordsOf(reader: ReturnType<typeof openReader>, path: string): Promise<string[]> {
  const extension = readableExtensions.find((each) => extname(path) === `.${each}`);
  const document = extension && (await reader.read(path, extension).catch(() => undefined));
  return document?.pages.flatMap((page) => page.words.map(({ text }) => text)) ?? [];
}

/**
 * Counts the words of a transcript. Each row has eight coordinates and a text, which may contain
 * commas.
 */
export async function transcriptOf({ transcript }: Receipt): Promise<Map<string, number>> {
  const csv = await readFile(join(folder, "transcripts", `${transcript}.csv`), "utf8");
  return bagOf(
    csv
      .split(/\r?\n/)
      .map((row) => row.split(",").slice(8).join(","))
      .join(" "),
  );
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(join(folder, name), "utf8")) as T;
}
