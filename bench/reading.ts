/** Reading PDFs through the reading processes, beside pdftotext on the same files in the same run. Runs alone too: `node bench/reading.ts`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { defaultReadingSettings, openReader } from "../server/src/reading/host.ts";
import type { Reader } from "../server/src/reading/reader.ts";
import { filesOf } from "./data.ts";
import { type BenchRow, quantile, table } from "./rows.ts";

const rounds = 3;

/** Takes about a minute. */
export async function benchReading(): Promise<BenchRow[]> {
  const files = ["facturx/pdf", "deepform/pdf"].flatMap((folder) => filesOf(folder, ".pdf"));
  return [await compare("of all files", files, 1), await compare("of all files", files, 2), await longest(files)];
}

/** Dense text in one file, again and again: here pdftotext starts seldom, and a page has most to do. */
async function longest(files: readonly string[]): Promise<BenchRow> {
  const reader = openReader(defaultReadingSettings);
  let [most, path] = [0, ""];
  await each(files, 2, async (candidate) => {
    const document = await reader.read(candidate, "pdf").catch(() => undefined);
    const words = document?.pages.reduce((sum, page) => sum + page.words.length, 0) ?? 0;
    if (words > most) [most, path] = [words, candidate];
  });
  await reader.close();
  return compare(`with ${most} words in each 1 of 20 copies`, new Array<string>(20).fill(path), 1);
}

/** Both read all files that ours can read, `parallel` at a time, in turns. */
async function compare(name: string, files: readonly string[], parallel: number): Promise<BenchRow> {
  const reader = openReader({ ...defaultReadingSettings, processes: parallel });
  try {
    await reader.warm();
    const pages = await pagesOf(reader, files, parallel);
    const readable = files.filter((path) => pages.has(path));
    const total = readable.reduce((sum, path) => sum + (pages.get(path) ?? 0), 0);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await seconds(() => each(readable, parallel, (path) => reader.read(path, "pdf"))));
      theirs.push(await seconds(() => each(readable, parallel, pdftotext)));
    }
    const [mine, peer] = [total / quantile(ours, 0.5), total / quantile(theirs, 0.5)];
    const against = `pdftotext -bbox, ${parallel} at a time: ${peer.toFixed(0)}`;
    const title = `read ${total} pages ${name}, ${parallel} at a time`;
    return { name: title, value: mine, unit: "pages/s", against, ratio: mine / peer };
  } finally {
    await reader.close();
  }
}

/** How many pages each file has, without the files that are refused; and the processes are warm afterwards. */
async function pagesOf(reader: Reader, files: readonly string[], parallel: number): Promise<Map<string, number>> {
  const pages = new Map<string, number>();
  await each(files, parallel, async (path) => {
    const document = await reader.read(path, "pdf").catch(() => undefined);
    if (document) pages.set(path, document.pages.length);
  });
  return pages;
}

async function pdftotext(path: string): Promise<void> {
  const child = spawn("pdftotext", ["-bbox", path, "/dev/null"], { stdio: "ignore" });
  await once(child, "close");
}

/** Calls `work` for all paths, so many at a time. */
async function each(
  paths: readonly string[],
  parallel: number,
  work: (path: string) => Promise<unknown>,
): Promise<void> {
  const waiting = [...paths];
  const lane = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await work(path);
  };
  await Promise.all(Array.from({ length: parallel }, lane));
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

if (import.meta.main) console.log(table(await benchReading()));
