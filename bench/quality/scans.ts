/**
 * `npm run quality -- scans [AUTHOR…]`: prints the invented documents of `fit/papers/` with
 * Chromium, and makes scans of the prints at several angles. Compares the words, values and list
 * rows that are read from the scans with those of the documents. Uses the layout analysis and the
 * built-in engine of the service, and no language model. `npm run quality -- photos [AUTHOR…]` does
 * this with photographs instead of scans.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { authorOf, type Paper, paramsOf, readPapers } from "../../fit/papers/papers.ts";
import { printPaper } from "../../fit/papers/print-paper.ts";
import type { ValueRecord } from "../../server/src/engine/engine.ts";
import { extractBuiltin } from "../../server/src/engine/extract/extract-fields.ts";
import { type Document, pageText } from "../../server/src/reading/document.ts";
import { decodeImage } from "../../server/src/reading/formats/image/decode-image.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import type { Reader } from "../../server/src/reading/reader.ts";
import { jpegOf } from "../../server/src/reading/testing/page-pictures.ts";
import { makeScan, type ScanPlan } from "../scans/make-scan.ts";
import { type ScannedPage, scannedPdf } from "../scans/scanned-pdf.ts";
import { type Matches, noScore, type Score, scoreOf, sumOf } from "./paper-scores.ts";
import { bagOf, type WordCounts, wordF1, zeroCounts } from "./word-f1.ts";

/** Settings with which each document is scanned or photographed. */
interface Way {
  name: string;
  /** Resolution in dots per inch. */
  dpi: number;
  plan(seed: number): ScanPlan;
  /** Quality of the JPEG, 1 to 100. */
  quality: number;
}

const scan = (skew: number, dpi = 200): Way => ({
  name: `${dpi} dpi, ${skew}°`,
  dpi,
  quality: 75,
  plan: (seed) => ({ skew: seed % 2 === 0 ? skew : -skew, blur: 0.5, noise: 5, seed }),
});
const scanWays: readonly Way[] = [...[0, 0.5, 1, 2, 3].map((skew) => scan(skew)), scan(1, 150)];

/** Photographs at four resolutions, tilted by up to 25° in both directions. */
const photoWays: readonly Way[] = [110, 150, 200, 250].map((dpi, at) => ({
  name: `photo, ${dpi} dpi`,
  dpi,
  quality: 80,
  plan: (seed) => {
    const angle = (step: number): number => (((seed * step + at * 7) % 11) - 5) * 5;
    return {
      skew: ((seed * 3) % 7) - 3,
      tilt: [angle(3), angle(5)],
      blur: 0.7,
      noise: 6,
      shade: 0.55 + ((seed * 5) % 4) * 0.1,
      fill: 0.86,
      seed,
    };
  },
}));

interface Result {
  words: WordCounts;
  score: Score;
  pages: number;
}

export const runScans = (outFolder: string, args: readonly string[], errors: number): Promise<void> =>
  runWays(outFolder, scanWays, args, errors);

export const runPhotos = (outFolder: string, args: readonly string[], errors: number): Promise<void> =>
  runWays(outFolder, photoWays, args, errors);

/**
 * @param args authors such as "18" (default: 18 and 23), and parts of the names of settings such as
 * "2°" (default: all settings)
 * @param errors maximum number of wrong fields to print for each document and setting
 */
async function runWays(outFolder: string, ways: readonly Way[], args: readonly string[], errors: number) {
  const authors = args.filter((arg) => /^\d\d$/.test(arg));
  const names = args.filter((arg) => !authors.includes(arg));
  const papers = readPapers().filter((paper) =>
    (authors.length === 0 ? ["18", "23"] : authors).includes(authorOf(paper)),
  );
  const folder = join(outFolder, "scans");
  mkdirSync(folder, { recursive: true });
  // Very long, so that reading does not time out while the machine is busy.
  const deadlineMs = { base: 600_000, perPage: 0, perOcrPage: 120_000 };
  const reader = openReader({ ...defaultReadingSettings, processes: 1, deadlineMs });
  const results = new Map<string, Result>();
  const chosen = ways.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  try {
    for (const [seed, paper] of papers.entries()) {
      const path = printPaper(paper, folder);
      const print = await reader.read(path, "pdf");
      add(results, "print", measure(paper, print, print), errors);
      for (const way of chosen) {
        const scanned = join(folder, `${paper.name}-${way.name.replace(/\W+/g, "-")}.pdf`);
        writeFileSync(scanned, await scanOf(reader, path, print, way, seed));
        const read = await reader.read(scanned, "pdf");
        add(results, way.name, measure(paper, read, print), errors);
      }
    }
  } finally {
    await reader.close();
  }
  console.table(Object.fromEntries([...results].map(([name, result]) => [name, figuresOf(result)])));
}

async function scanOf(reader: Reader, path: string, print: Document, way: Way, seed: number): Promise<Buffer> {
  const pages: ScannedPage[] = [];
  for (const { number, width, height } of print.pages) {
    const request = { page: number, width: Math.round((width / 72) * way.dpi), format: "png" } as const;
    const { bytes } = await reader.renderPage(path, "pdf", request);
    const { image } = await decodeImage(bytes, "png", Math.max(width, height) * way.dpi);
    const picture = makeScan(image, way.plan(seed));
    const jpeg = await jpegOf(picture, way.quality);
    pages.push({ jpeg, width: picture.width, height: picture.height, points: [width, height] });
  }
  return scannedPdf(pages);
}

function measure(paper: Paper, read: Document, print: Document): Result {
  const words = zeroCounts();
  words.add(bagOf(textOf(read)), bagOf(textOf(print)));
  const { data } = extractBuiltin({ document: read, params: paramsOf(paper) });
  return { words, score: scoreOf(paper, data as ValueRecord), pages: read.pages.length };
}

const textOf = (document: Document): string => document.pages.map(pageText).join("\n");

function add(results: Map<string, Result>, name: string, result: Result, errors: number): void {
  const known = results.get(name) ?? { words: zeroCounts(), score: noScore, pages: 0 };
  for (const wrong of result.score.wrong.slice(0, errors)) console.log(name, wrong);
  for (const key of ["found", "expected", "right"] as const) known.words[key] += result.words[key];
  results.set(name, {
    words: known.words,
    score: sumOf(known.score, result.score),
    pages: known.pages + result.pages,
  });
}

function figuresOf({ words, score, pages }: Result): Record<string, number | string> {
  const f1 = ({ right, given, expected }: Matches): string => ((2 * right) / Math.max(1, given + expected)).toFixed(3);
  return {
    pages,
    words: wordF1(words).toFixed(3),
    fields: f1(score.fields),
    rows: f1(score.rows),
    cells: f1(score.cells),
  };
}
