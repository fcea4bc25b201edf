/** The program of a reading process: takes one document at a time from standard input and tells what it found, page by page. */
import { readSync } from "node:fs";
import type { OpenDocument } from "../formats/format.ts";
import { type IncomingFile, wholeOf } from "../formats/incoming-file.ts";
import { openDocument, type ReadingTools } from "../formats/open-document.ts";
import { makePageImage } from "../formats/page-image.ts";
import { loadPdfium } from "../formats/pdf/pdfium.ts";
import { openOcrEngine } from "../ocr/open-ocr-engine.ts";
import {
  type Order,
  type PackedPage,
  type ProcessMessage,
  packPage,
  type ReadOrder,
  type RenderOrder,
  type Usage,
} from "../pool/messages.ts";
import { type OcrSettings, type PageImage, ReadingError } from "../reader.ts";

/** Resolves when the message is on its way, so that a slow host slows the reading and nothing piles up here. */
function tell(message: ProcessMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, {}, () => setImmediate(resolve));
  });
}

const standardInput = 0;

/** What comes next on standard input. A stream would copy it once more, in pieces of 64 KB. */
function incoming(size: number): IncomingFile {
  const writeTo = (target: Uint8Array): void => {
    for (let filled = 0; filled < size; ) {
      const read = readSync(standardInput, target, filled, size - filled, null);
      // The host is gone.
      if (read === 0) process.exit();
      filled += read;
    }
  };
  return { size, writeTo };
}

type Tools = Omit<ReadingTools, "maxPages">;

/** The document whose pages are being asked for. */
let current: OpenDocument | undefined;

async function openFor(tools: Tools, order: ReadOrder): Promise<void> {
  const { extension, bytes, maxPages } = order;
  current = await openDocument(extension, incoming(bytes), { ...tools, maxPages });
  const { pages, metadata, outline } = current;
  await tell({ kind: "opened", pages, metadata, outline });
}

/** Pages with so many words together make a message. */
const wordsPerMessage = 3000;

/** Pages that are read and not told yet. */
let untold: PackedPage[] = [];

async function tellPages(): Promise<void> {
  const pages = untold;
  untold = [];
  if (pages.length > 0) await tell({ kind: "pages", pages });
}

async function readPages(document: OpenDocument, from: number, to: number): Promise<void> {
  let words = 0;
  for (let number = from; number <= to; number++) {
    const page = await document.readPage(number);
    untold.push(packPage(page));
    words += page.words.length;
    if (words < wordsPerMessage && number < to) continue;
    await tellPages();
    words = 0;
  }
}

/** Recognition takes seconds, so what was read before goes first. */
async function announceOcr(): Promise<void> {
  await tellPages();
  await tell({ kind: "ocr" });
}

function closeCurrent(): void {
  const closing = current;
  current = undefined;
  untold = [];
  closing?.close?.();
}

/** Calls `make` at the first call only. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { rssBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 };
}

async function render({ pdfium }: Tools, { bytes, extension, request, maxPages }: RenderOrder): Promise<PageImage> {
  return makePageImage(pdfium, wholeOf(incoming(bytes)), extension, request, { maxPages });
}

async function follow(tools: Tools, order: Order): Promise<void> {
  if (order.kind === "read") await openFor(tools, order);
  else if (order.kind === "render") await tell({ kind: "image", image: await render(tools, order), usage: usage() });
  else if (current === undefined) return;
  else if (order.kind === "pages") await readPages(current, order.from, order.to);
  else {
    closeCurrent();
    await tell({ kind: "done", usage: usage() });
  }
}

/**
 * A refusal leaves the library sound. Anything else (an abort inside of it, no memory left) does not, so the process ends after telling:
 * the memory of the library may be half changed, and the next document must not see it.
 */
async function serve(tools: Tools, order: Order): Promise<void> {
  try {
    await follow(tools, order);
  } catch (error) {
    if (error instanceof ReadingError) {
      closeCurrent();
      await tell({ kind: "failed", reason: error.reason, message: error.message, usage: usage() });
      return;
    }
    await tell({
      kind: "failed",
      reason: "too_complex",
      message: "Reading the file took too much memory or broke down.",
    });
    process.exit(1);
  }
}

process.on("disconnect", () => process.exit());
// A signal to the whole group, as Ctrl-C is, is for the host to act on: it may want its readings finished.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
const pdfium = await loadPdfium();
const settings = JSON.parse(process.argv[2] ?? "{}") as OcrSettings;
const ocr = { engine: once(() => openOcrEngine(settings)), announce: announceOcr };
let served = Promise.resolve();
process.on("message", (order: Order) => {
  served = served.then(() => serve({ pdfium, ocr }, order));
});
await tell({ kind: "ready" });
