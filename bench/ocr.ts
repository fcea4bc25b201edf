/** Recognition through the reading processes beside the tesseract program on the same pictures in the same run. Runs alone too: `node bench/ocr.ts`. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { defaultReadingSettings, openReader } from "../server/src/reading/host.ts";
import { wordsOfTsv } from "../server/src/reading/ocr/tsv.ts";
import { type Receipt, receipts, transcriptOf } from "./quality/sroie.ts";
import { bagOf, wordF1, zeroCounts } from "./quality/word-f1.ts";
import { type BenchRow, table } from "./rows.ts";

/** Every third receipt is enough, and takes about two minutes. */
const every = 3;

/** Needs the program `tesseract` with the languages eng, deu and fra. */
export async function benchOcr(): Promise<BenchRow[]> {
  const files = (await receipts()).filter((_, index) => index % every === 0);
  return [...(await compare(files, 1)), ...(await compare(files, 2))];
}

interface Result {
  secondsPerPage: number;
  f1: number;
}

async function compare(files: readonly Receipt[], parallel: number): Promise<BenchRow[]> {
  const reader = openReader({ ...defaultReadingSettings, processes: parallel });
  try {
    await reader.warm();
    const readByUs = async (path: string) => {
      const { pages } = await reader.read(path, "jpg");
      return pages.flatMap((page) => page.words.map((word) => word.text));
    };
    const first = files.slice(0, parallel);
    await measure(first, parallel, readByUs);
    const [ours, theirs] = [await measure(files, parallel, readByUs), await measure(files, parallel, tesseract)];
    const title = `${files.length} receipts, ${parallel} at a time`;
    const against = (value: number) => `tesseract program, same languages: ${value.toPrecision(3)}`;
    return [
      {
        name: `recognize ${title}`,
        value: ours.secondsPerPage,
        unit: "s/page",
        against: against(theirs.secondsPerPage),
        ratio: ours.secondsPerPage / theirs.secondsPerPage,
      },
      {
        name: `words of ${title}`,
        value: ours.f1,
        unit: "F1",
        against: against(theirs.f1),
        ratio: ours.f1 / theirs.f1,
      },
    ];
  } finally {
    await reader.close();
  }
}

async function measure(
  files: readonly Receipt[],
  parallel: number,
  read: (path: string) => Promise<string[]>,
): Promise<Result> {
  const counts = zeroCounts();
  const waiting = [...files];
  const started = performance.now();
  const lane = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      counts.add(bagOf((await read(file.path)).join(" ")), await transcriptOf(file));
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  return { secondsPerPage: (performance.now() - started) / 1000 / files.length, f1: wordF1(counts) };
}

/** One process a picture, as it is used everywhere; with more than one thread it would be far slower two at a time. */
async function tesseract(path: string): Promise<string[]> {
  const languages = defaultReadingSettings.recognition.languages.join("+");
  const child = spawn(
    "tesseract",
    [path, "stdout", "-l", languages, "--oem", "1", "--psm", "6", "-c", "tessedit_create_tsv=1"],
    { env: { ...process.env, OMP_THREAD_LIMIT: "1" }, stdio: ["ignore", "pipe", "ignore"] },
  );
  return wordsOfTsv(await text(child.stdout)).map((word) => word.text);
}

if (import.meta.main) console.log(table(await benchOcr()));
