/**
 * Runs one engine that returns the words of a PDF with their boxes, in a separate process:
 * `node reading-peers.ts ENGINE PROCESSES`. The process gets requests as IPC messages, and responds
 * with time, memory and, on request, the words.
 */
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { LiteParse } from "@llamaindex/liteparse";
import { getDocumentProxy } from "unpdf";
import { defaultReadingSettings, openReader } from "../server/src/reading/open-reader.ts";

/** A word, with its left and right edge in points. */
export type Placed = readonly [text: string, left: number, right: number];

export interface PeerOrder {
  path: string;
  /** True if the words of each page are to be returned. */
  words: boolean;
}

export interface PeerAnswer {
  milliseconds: number;
  pages: number;
  words?: Placed[][];
  /** Peak memory so far: of this process, and of its largest child process, in MiB. */
  memory: { own: number; largestChild: number };
}

export const engines = ["Sheaf", "pdfjs-dist", "unpdf", "liteparse"] as const;
export type EngineName = (typeof engines)[number];

/** Reads the file at `path`. Calls `onPage` with the words of each page. */
type Read = (path: string, onPage: (words: Placed[]) => void) => Promise<void>;

const opened: Record<EngineName, (processes: number) => Promise<Read>> = {
  Sheaf: async (processes) => {
    const reader = openReader({ ...defaultReadingSettings, processes });
    await reader.warm();
    return async (path, onPage) => {
      await reader.readPages(path, "pdf", {
        onPage: ({ words }) => onPage(words.map(({ text, box }) => [text, box[0], box[2]])),
      });
    };
  },
  "pdfjs-dist": async () => {
    const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
    return async (path, onPage) => {
      const data = new Uint8Array(await readFile(path));
      const loading = getDocument({ data, verbosity: VerbosityLevel.ERRORS, useSystemFonts: false });
      await pagesOf(await loading.promise, onPage);
      await loading.destroy();
    };
  },
  unpdf: async () => async (path, onPage) => {
    const document = await getDocumentProxy(new Uint8Array(await readFile(path)), { verbosity: 0 });
    await pagesOf(document, onPage);
    await document.loadingTask.destroy();
  },
  liteparse: async () => {
    const parser = new LiteParse({ ocrEnabled: false, emitWordBoxes: true });
    return async (path, onPage) => {
      for await (const { result } of parser.parseBatches(path, { batchSize: 50 })) {
        for (const { textItems } of result.pages) {
          const words = textItems.flatMap((item) => (item.words?.length ? item.words : [item]));
          onPage(words.map(({ text, x, width }) => [text, x, x + width]));
        }
      }
    };
  },
};

/** Declares the parts of pdf.js that this file uses. They are the same in both builds of pdf.js. */
interface PdfjsDocument {
  numPages: number;
  getPage(number: number): Promise<{
    getViewport(options: { scale: number }): { transform: number[] };
    getTextContent(): Promise<{ items: object[] }>;
    cleanup(): boolean;
  }>;
}

/**
 * Splits the text runs that pdf.js returns into words. The edges of a word are estimated as if all
 * characters of a run had the same width. Users of pdf.js have to do this too.
 */
async function pagesOf(document: PdfjsDocument, onPage: (words: Placed[]) => void): Promise<void> {
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const [a = 1, , c = 0, , e = 0] = page.getViewport({ scale: 1 }).transform;
    const { items } = await page.getTextContent();
    const words: Placed[] = [];
    for (const item of items) {
      const { str = "", width = 0, transform = [] } = item as { str?: string; width?: number; transform?: number[] };
      const left = a * (transform[4] ?? 0) + c * (transform[5] ?? 0) + e;
      for (const match of str.matchAll(/\S+/gu)) {
        const from = left + (width * match.index) / str.length;
        words.push([match[0], from, from + (width * match[0].length) / str.length]);
      }
    }
    onPage(words);
    page.cleanup();
  }
}

/** Returns the peak memory of this process's largest child, in MiB. */
function largestChild(): number {
  const sizes = readdirSync("/proc").map((id) => {
    try {
      const parent = readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1)?.split(" ")[1];
      if (parent !== String(process.pid)) return 0;
      return Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${id}/status`, "latin1"))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  });
  return Math.max(0, ...sizes);
}

if (import.meta.main) {
  const [name = "", processes = "1"] = process.argv.slice(2);
  const read = await opened[name as EngineName](Number(processes));
  process.on("message", async ({ path, words }: PeerOrder) => {
    const all: Placed[][] = [];
    let pages = 0;
    // Samples the memory during the run. At its end, a reading process that used much memory may
    // already have been replaced by a new process.
    let child = 0;
    const started = performance.now();
    await read(path, (found) => {
      pages++;
      if (words) all.push(found);
      if (pages % 250 === 0) child = Math.max(child, largestChild());
    });
    const milliseconds = performance.now() - started;
    const memory = { own: process.resourceUsage().maxRSS / 1024, largestChild: Math.max(child, largestChild()) };
    process.send?.({ milliseconds, pages, memory, ...(words && { words: all }) } satisfies PeerAnswer);
  });
  process.on("disconnect", () => process.exit());
  process.send?.("ready");
}
