/**
 * Compares OCR in the reading processes with the program `tesseract`, on the same images and with
 * the same models. Can also be run alone: `node bench/ocr.ts`.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { wordsOfTsv } from "../server/src/reading/ocr/tsv.ts";
import { defaultReadingSettings, openReader } from "../server/src/reading/open-reader.ts";
import { type Receipt, receipts, transcriptOf } from "./quality/sroie.ts";
import { bagOf, type WordCounts, wordF1, zeroCounts } from "./quality/word-f1.ts";
import { type BenchRow, table } from "./rows.ts";

/**
 * Number of images that one OCR program reads before the other program reads the same images.
 * Small, so that other load on the machine affects both programs equally.
 */
const chunkFiles = 15;

const { languages } = defaultReadingSettings.ocr;

/** Takes about six minutes. Needs the program `tesseract`. */
export async function benchOcr(): Promise<BenchRow[]> {
  const files = await receipts();
  const models = await mkdtemp(join(tmpdir(), "models-"));
  const reader = openReader(defaultReadingSettings);
  try {
    await unpackModels(models);
    await reader.warm();
    const ours = async (path: string) => {
      const { pages } = await reader.read(path, "jpg");
      return pages.flatMap((page) => page.words.map((word) => word.text));
    };
    const theirs = (path: string) => tesseract(path, models);
    // Reads some images first, because each process loads and compiles the OCR engine at its first
    // image.
    await new OcrRun(ours, 2).take(files.slice(0, 4));
    const [ourRuns, theirRuns] = [runsOf(ours), runsOf(theirs)];
    const inTurn = [ourRuns.single, theirRuns.single, ourRuns.double, theirRuns.double];
    for (let at = 0; at < files.length; at += chunkFiles) {
      for (const run of inTurn) await run.take(files.slice(at, at + chunkFiles));
    }
    return rowsOf(ourRuns, theirRuns);
  } finally {
    await reader.close();
    await rm(models, { recursive: true });
  }
}

/**
 * Reads images with the function `read`, `parallel` of them at a time. Measures time and accuracy.
 */
class OcrRun {
  readonly counts: WordCounts = zeroCounts();
  /** Number of images in which no words were found. */
  empty = 0;
  #ms = 0;
  #files = 0;
  readonly #read: (path: string) => Promise<string[]>;
  readonly #parallel: number;

  constructor(read: (path: string) => Promise<string[]>, parallel: number) {
    this.#read = read;
    this.#parallel = parallel;
  }

  get secondsPerPage(): number {
    return this.#ms / 1000 / this.#files;
  }

  async take(files: readonly Receipt[]): Promise<void> {
    const waiting = [...files];
    const started = performance.now();
    const lane = async () => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        const words = await this.#read(file.path);
        this.counts.add(bagOf(words.join(" ")), await transcriptOf(file));
        if (words.length === 0) this.empty++;
      }
    };
    await Promise.all(Array.from({ length: this.#parallel }, lane));
    this.#ms += performance.now() - started;
    this.#files += files.length;
  }
}

/** Two runs of one OCR program: with one image at a time (`single`), and with two (`double`). */
interface OcrRuns {
  single: OcrRun;
  double: OcrRun;
}

const runsOf = (read: (path: string) => Promise<string[]>): OcrRuns => ({
  single: new OcrRun(read, 1),
  double: new OcrRun(read, 2),
});

function rowsOf(ours: OcrRuns, theirs: OcrRuns): BenchRow[] {
  const beside = (name: string, unit: string, figureOf: (runs: OcrRuns) => number): BenchRow => ({
    ...{ name, value: figureOf(ours), unit, ratio: figureOf(ours) / figureOf(theirs) },
    against: `tesseract program, same models: ${figureOf(theirs).toPrecision(3)}`,
  });
  const gain = ({ single, double }: OcrRuns) => single.secondsPerPage / double.secondsPerPage;
  return [
    beside("OCR of receipts, 1 at a time", "s/page", ({ single }) => single.secondsPerPage),
    beside("OCR of receipts, 2 at a time", "s/page", ({ double }) => double.secondsPerPage),
    beside("throughput of 2 at a time against 1", "times", gain),
    beside("words of receipts", "F1", ({ single }) => wordF1(single.counts)),
    { name: "receipts without a word", unit: "", ...emptyOf(ours, theirs) },
  ];
}

const emptyOf = (ours: OcrRuns, theirs: OcrRuns): Pick<BenchRow, "value" | "against"> => ({
  value: ours.single.empty,
  against: `tesseract program, same models: ${theirs.single.empty}`,
});

/** Writes the models of the reading processes to `folder`, unpacked as `tesseract` needs them. */
async function unpackModels(folder: string): Promise<void> {
  for (const language of languages) {
    const path = import.meta.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`);
    await writeFile(join(folder, `${language}.traineddata`), gunzipSync(await readFile(fileURLToPath(path))));
  }
}

/**
 * Runs one single-threaded `tesseract` process per image, as is common. With more threads per
 * process, two processes at a time would be far slower.
 */
async function tesseract(path: string, models: string): Promise<string[]> {
  const child = spawn(
    "tesseract",
    [
      ...[path, "stdout", "--tessdata-dir", models, "-l", languages.join("+"), "--oem", "1", "--psm", "6"],
      ...["-c", "tessedit_create_tsv=1"],
    ],
    { env: { ...process.env, OMP_THREAD_LIMIT: "1" }, stdio: ["ignore", "pipe", "ignore"] },
  );
  return wordsOfTsv(await text(child.stdout)).map((word) => word.text);
}

if (import.meta.main) console.log(table(await benchOcr()));
