/**
 * Compares the reading processes with other engines that read PDFs. All read the same files in
 * turn. Can also be run alone: `node bench/reading.ts`.
 */
import { type ChildProcess, execFileSync, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadPdfium, type Pdfium } from "../server/src/reading/formats/pdf/pdfium.ts";
import { openPdf } from "../server/src/reading/formats/pdf/read-pdf.ts";
import { defaultReadingSettings } from "../server/src/reading/open-reader.ts";
import { ReadingError } from "../server/src/reading/reader.ts";
import { filesOf } from "./data.ts";
import { type EngineName, engines, type PeerAnswer, type PeerOrder, type Placed } from "./reading-peers.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";

const rounds = 7;
/**
 * Number of pages that every engine reads before it is timed. Its code is then as fully compiled as
 * in a process that has been running for a long time.
 */
const warmUpPages = 2_500;
const sizes = [5, 50, 600];
const longFile = 2500;
const folder = join(import.meta.dirname, "out");
/** Maximum difference between two edges that count as equal, in points. */
const exact = 0.5;

/** Takes about twelve minutes. */
export async function benchReading(): Promise<BenchRow[]> {
  const sources = await textFiles();
  const files = sizes.map((pages) => ({ pages, path: joined(sources, pages) }));
  const rows: BenchRow[] = [];
  const peers = await Promise.all(contenders.map(({ engine, processes }) => openPeer(engine, processes)));
  try {
    for (const peer of peers) await warmUp(peer, files);
    for (const { pages, path } of files) rows.push(...(await compare(pages, path, peers)));
    rows.push(...(await compareBoxes(files[1]?.path ?? "", peers)));
  } finally {
    for (const { child } of peers) child.disconnect();
  }
  rows.push(...(await memoryOf(joined(sources, longFile), longFile)));
  return rows;
}

const contenders = [...engines.map((engine) => ({ engine, processes: 2 })), { engine: "Sheaf", processes: 1 } as const];

interface Peer {
  name: string;
  child: ChildProcess;
  read(path: string, words?: boolean): Promise<PeerAnswer>;
}

async function openPeer(engine: EngineName, processes: number): Promise<Peer> {
  const child = fork(join(import.meta.dirname, "reading-peers.ts"), [engine, String(processes)], {
    serialization: "advanced",
  });
  await once(child, "message");
  const read = async (path: string, words = false): Promise<PeerAnswer> => {
    child.send({ path, words } satisfies PeerOrder);
    const [answer] = (await once(child, "message")) as [PeerAnswer];
    return answer;
  };
  const name = engine === "Sheaf" ? `Sheaf, ${processes} reading ${processes === 1 ? "process" : "processes"}` : engine;
  return { name, child, read };
}

async function warmUp(peer: Peer, files: readonly { pages: number; path: string }[]): Promise<void> {
  for (const { pages, path } of files)
    for (let read = 0; read < warmUpPages / files.length; read += pages) await peer.read(path);
}

/**
 * Has all engines read the file in turn, in several rounds. In each round, an engine reads the file
 * twice, and pdftotext then reads it once. Only the second reading of the engine is timed. The
 * first round is not counted. Returns the median of pages per second, and the median of the ratios
 * to pdftotext. The ratios are needed because the speed of the machine varies.
 */
async function compare(pages: number, path: string, peers: readonly Peer[]): Promise<BenchRow[]> {
  const timings = peers.map((): { own: number; native: number }[] => []);
  const memory = peers.map(() => 0);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, peer] of peers.entries()) {
      await peer.read(path);
      const answer = await peer.read(path);
      const native = pdftotext(path);
      if (answer.pages !== pages) throw new Error(`${peer.name} read ${answer.pages} of ${pages} pages.`);
      memory[index] = Math.max(answer.memory.own, answer.memory.largestChild);
      if (round > 0) timings[index]?.push({ own: answer.milliseconds, native });
    }
  }
  return peers.map(({ name }, index) => {
    const times = timings[index] ?? [];
    const perSecond = (milliseconds: readonly number[]): number => (pages / quantile(milliseconds, 0.5)) * 1000;
    return {
      name: `read ${pages} pages, ${name}, largest process ${memory[index]?.toFixed(0)} MiB`,
      value: perSecond(times.map(({ own }) => own)),
      unit: "pages/s",
      against: `pdftotext -bbox: ${perSecond(times.map(({ native }) => native)).toFixed(0)}`,
      ratio: quantile(
        times.map(({ own, native }) => native / own),
        0.5,
      ),
    };
  });
}

function pdftotext(path: string): number {
  const started = performance.now();
  spawnSync("pdftotext", ["-cropbox", "-bbox", path, "/dev/null"], { stdio: "ignore" });
  return performance.now() - started;
}

/**
 * Measures, for each engine, the share of pdftotext's words that it finds with the same letters and
 * edges.
 */
async function compareBoxes(path: string, peers: readonly Peer[]): Promise<BenchRow[]> {
  const reference = wordsOfPdftotext(path);
  const count = reference.reduce((sum, words) => sum + words.length, 0);
  const rows: BenchRow[] = [];
  for (const peer of peers.filter(({ name }) => !name.endsWith("process"))) {
    const { words = [] } = await peer.read(path, true);
    const same = reference.reduce((sum, page, index) => sum + sameWords(page, words[index] ?? []), 0);
    const against = `the ${count} words of pdftotext -bbox, edges within ${exact} points`;
    rows.push({ name: `exact word boxes, ${peer.name}`, value: (100 * same) / count, unit: "%", against });
  }
  return rows;
}

function sameWords(reference: readonly Placed[], found: readonly Placed[]): number {
  const open = Map.groupBy(found, ([text]) => text);
  let same = 0;
  for (const [text, left, right] of reference) {
    const candidates = open.get(text) ?? [];
    const at = candidates.findIndex(([, x0, x1]) => Math.abs(x0 - left) <= exact && Math.abs(x1 - right) <= exact);
    if (at < 0) continue;
    candidates.splice(at, 1);
    same++;
  }
  return same;
}

function wordsOfPdftotext(path: string): Placed[][] {
  const html = execFileSync("pdftotext", ["-cropbox", "-bbox", path, "-"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return html
    .split("<page ")
    .slice(1)
    .map((page) =>
      [...page.matchAll(/xMin="([^"]+)" yMin="[^"]+" xMax="([^"]+)" yMax="[^"]+">([^<]*)</gu)].map(
        ([, left, right, text = ""]) => [unescaped(text), Number(left), Number(right)] as const,
      ),
    );
}

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");

/**
 * Measures the memory of the reading processes, and the growth of the service process, which gets
 * all pages but does not keep them.
 */
async function memoryOf(path: string, pages: number): Promise<BenchRow[]> {
  const [short, long] = [await openPeer("Sheaf", 2), await openPeer("Sheaf", 2)];
  const few = await short.read(joined(await textFiles(), sizes[1] ?? 50));
  const many = await long.read(path);
  for (const { child } of [short, long]) child.disconnect();
  return [
    {
      name: `largest reading process, ${pages} pages`,
      ...withinLimit(many.memory.largestChild, "MiB", 350),
    },
    {
      name: `the service process, ${pages} pages`,
      value: many.memory.own,
      unit: "MiB",
      against: `${sizes[1]} pages: ${few.memory.own.toFixed(0)}`,
      ratio: many.memory.own / few.memory.own,
    },
  ];
}

let known: Promise<string[]> | undefined;
const textFiles = (): Promise<string[]> => {
  known ??= findTextFiles();
  return known;
};

/**
 * Returns the PDFs of the evaluation data that need no OCR, so that the other engines can read them
 * too.
 */
async function findTextFiles(): Promise<string[]> {
  const pdfium = await loadPdfium();
  const found: string[] = [];
  const folders = ["textract/files", "segments/pdf", "deepform/pdf", "facturx/pdf"];
  for (const path of folders.flatMap((name) => filesOf(name, ".pdf")))
    if ((await isText(pdfium, path)) && canBeJoined(path)) found.push(path);
  return found;
}

/** Returns whether every page has text and needs no OCR. */
async function isText(pdfium: Pdfium, path: string): Promise<boolean> {
  const bytes = await readFile(path);
  try {
    const pdf = openPdf(pdfium, bytes, defaultReadingSettings);
    try {
      const numbers = Array.from({ length: pdf.pages }, (_, index) => index + 1);
      const pages = numbers.map((number) => pdf.readPageOrScan(number));
      return pages.every(({ page, scan }) => scan === undefined && page.words.length > 10);
    } finally {
      pdf.close();
    }
  } catch (error) {
    if (error instanceof ReadingError) return false;
    throw error;
  }
}

/** Returns false for encrypted files, which `pdfunite` cannot join. */
const canBeJoined = (path: string): boolean =>
  spawnSync("pdfunite", [path, path, "/dev/null"], { stdio: "ignore" }).status === 0;

/** Creates a file with `pages` pages by repeating the sources. */
function joined(sources: readonly string[], pages: number): string {
  const path = join(folder, `reading-${pages}.pdf`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const parts: string[] = [];
  let missing = pages;
  for (let at = 0; missing > 0; at = (at + 1) % sources.length) {
    const source = sources[at] ?? "";
    const count = pagesIn(source);
    if (count > missing) continue;
    parts.push(source);
    missing -= count;
  }
  execFileSync("pdfunite", [...parts, path], { stdio: "ignore" });
  return path;
}

const pagesIn = (path: string): number =>
  Number(
    /^Pages:\s+(\d+)/mu.exec(
      execFileSync("pdfinfo", [path], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    )?.[1],
  );

if (import.meta.main) console.log(table(await benchReading()));
