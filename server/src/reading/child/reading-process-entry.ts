/**
 * Program of a reading process. It receives one document at a time on standard input and sends back
 * the pages of the document.
 */
import { readSync } from "node:fs";
import { openBarcodeFinder } from "../codes/find-barcodes.ts";
import type { OpenDocument } from "../formats/format.ts";
import { type IncomingFile, wholeOf } from "../formats/incoming-file.ts";
import { openDocument, type ReadingTools } from "../formats/open-document.ts";
import { makePageImage } from "../formats/page-image.ts";
import { loadPdfium, receiveIn } from "../formats/pdf/pdfium.ts";
import { openPdfAt } from "../formats/pdf/read-pdf.ts";
import { openOcrEngines } from "../ocr/open-ocr-engines.ts";
import {
  type CopyOrder,
  type Order,
  type PackedPage,
  type ProcessMessage,
  packPage,
  type ReadOrder,
  type RenderOrder,
  type Usage,
} from "../pool/messages.ts";
import { type OcrSettings, type PageImage, ReadingError } from "../reader.ts";

/**
 * Sends a message. Resolves when the message has left this process, so that a slow receiver slows
 * down reading, and messages do not pile up in memory.
 */
function send(message: ProcessMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, {}, () => setImmediate(resolve));
  });
}

const standardInput = 0;

/**
 * Returns the next `size` bytes of standard input as a file. The bytes are read directly into the
 * target buffer. A stream would copy them once more, in pieces of 64 KB.
 */
function incoming(size: number): IncomingFile {
  const writeTo = (target: Uint8Array): void => {
    for (let filled = 0; filled < size; ) {
      const read = readSync(standardInput, target, filled, size - filled, null);
      // The pipe was closed because the service has exited.
      if (read === 0) process.exit();
      filled += read;
    }
  };
  return { size, writeTo };
}

type Tools = Omit<ReadingTools, "maxPages">;

/** The open document, whose pages can be requested. */
let current: OpenDocument | undefined;

async function openFor(tools: Tools, order: ReadOrder): Promise<void> {
  const { extension, bytes, maxPages } = order;
  current = await openDocument(extension, incoming(bytes), { ...tools, maxPages });
  const { pages, metadata, outline } = current;
  await send({ kind: "opened", pages, metadata, outline });
}

/**
 * Pages are sent as soon as they have this many words in total. The last pages are sent even if
 * they have fewer words. Chosen by hand, 2026-11.
 */
const wordsPerMessage = 3000;

/** Pages that have been read but not sent yet. */
let unsent: PackedPage[] = [];

async function sendPages(): Promise<void> {
  const pages = unsent;
  unsent = [];
  if (pages.length > 0) await send({ kind: "pages", pages });
}

async function readPages(document: OpenDocument, from: number, to: number): Promise<void> {
  let words = 0;
  for (let number = from; number <= to; number++) {
    const page = await document.readPage(number);
    unsent.push(packPage(page));
    words += page.words.length;
    if (words < wordsPerMessage && number < to) continue;
    await sendPages();
    words = 0;
  }
}

/**
 * Tells the service that OCR begins. The pages that are ready are sent first, because OCR and the
 * search for bar codes take long.
 */
async function announceOcr(): Promise<void> {
  await sendPages();
  await send({ kind: "ocr" });
}

function closeCurrent(): void {
  const closing = current;
  current = undefined;
  unsent = [];
  closing?.close?.();
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { rssBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 };
}

async function render({ pdfium }: Tools, { bytes, extension, request, maxPages }: RenderOrder): Promise<PageImage> {
  return makePageImage(pdfium, wholeOf(incoming(bytes)), extension, request, { maxPages });
}

function copy({ pdfium }: Tools, { bytes, maxPages, range }: CopyOrder): Uint8Array {
  const pdf = openPdfAt(pdfium, receiveIn(pdfium, incoming(bytes)), bytes, { maxPages });
  try {
    return pdf.copyPages(range.from, range.to);
  } finally {
    pdf.close();
  }
}

async function follow(tools: Tools, order: Order): Promise<void> {
  if (order.kind === "read") await openFor(tools, order);
  else if (order.kind === "render") await send({ kind: "image", image: await render(tools, order), usage: usage() });
  else if (order.kind === "copy") await send({ kind: "copied", file: copy(tools, order), usage: usage() });
  else if (current === undefined) return;
  else if (order.kind === "pages") await readPages(current, order.from, order.to);
  else {
    closeCurrent();
    await send({ kind: "done", usage: usage() });
  }
}

/**
 * Carries out an order. After a ReadingError the library can still be used. After any other error,
 * such as an abort inside the library or a lack of memory, the library's memory may be
 * inconsistent, which could harm the next document. So the process reports such an error and exits.
 */
async function serve(tools: Tools, order: Order): Promise<void> {
  try {
    await follow(tools, order);
  } catch (error) {
    if (error instanceof ReadingError) {
      closeCurrent();
      await send({ kind: "failed", reason: error.reason, message: error.message, usage: usage() });
      return;
    }
    await send({
      kind: "failed",
      reason: "too_complex",
      message: "Reading the file failed or needed too much memory.",
    });
    process.exit(1);
  }
}

process.on("disconnect", () => process.exit());
// Ignore signals that are sent to all processes of the group, such as Ctrl-C. The service decides
// whether documents are read to the end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
const pdfium = await loadPdfium();
const settings = JSON.parse(process.argv[2] ?? "{}") as OcrSettings;
const ocr = { ...openOcrEngines(settings), announce: announceOcr };
const barcodes = openBarcodeFinder();
let served = Promise.resolve();
process.on("message", (order: Order) => {
  served = served.then(() => serve({ pdfium, ocr, barcodes }, order));
});
await send({ kind: "ready" });
