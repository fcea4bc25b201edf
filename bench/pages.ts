/**
 * Measures how long a viewer waits for the words and the image of a page over HTTP, with a file of
 * 1,000 pages full of text. Can also be run alone: `node bench/pages.ts`.
 */
import { makePdf } from "../server/src/reading/testing/make-pdf.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";
import { type Target, withService } from "./service-target.ts";

const pages = 1_000;
const lines = 55;
const wordsOfLine = "the agreement between both parties remains in force until terminated by written notice".split(" ");

/**
 * Limit for the 95th percentile of response times, in milliseconds. It applies to the words of a
 * page, and to a page image that was rendered before.
 */
const warmLimitMs = 100;
/**
 * Limit for the 95th percentile of the time to render a page image 900 pixels wide, in
 * milliseconds.
 */
const coldLimitMs = 400;

/** Takes about a minute. */
export function benchPages(): Promise<BenchRow[]> {
  return withService({}, async (_, target) => {
    const document = await ingest(target);
    const words = await timed(target, pagesFrom(7, 200), (page) => `${document}/pages/${page}/words`);
    const rows: BenchRow[] = [
      { name: "words of any of 1,000 pages: median", value: quantile(words, 0.5), unit: "ms", against: "" },
      {
        name: "words of any of 1,000 pages: 95th percentile",
        ...withinLimit(quantile(words, 0.95), "ms", warmLimitMs),
      },
    ];
    for (const width of [900, 1800]) {
      const path = (page: number) => `${document}/pages/${page}/image?width=${width}`;
      const name = `image of any of 1,000 pages, ${width} pixels wide`;
      const cold = await timed(target, pagesFrom(width, 60), path);
      const warm = await timed(target, pagesFrom(width, 60), path);
      rows.push(
        { name: `${name}: median`, value: quantile(cold, 0.5), unit: "ms", against: "" },
        width === 900
          ? { name: `${name}: 95th percentile`, ...withinLimit(quantile(cold, 0.95), "ms", coldLimitMs) }
          : { name: `${name}: 95th percentile`, value: quantile(cold, 0.95), unit: "ms", against: "" },
        { name: `${name}, again: 95th percentile`, ...withinLimit(quantile(warm, 0.95), "ms", warmLimitMs) },
      );
    }
    return [...rows, ...(await scrolling(target, document))];
  });
}

/** Requests 50 images at once. Meanwhile, measures the response times of the health endpoint. */
async function scrolling(target: Target, document: string): Promise<BenchRow[]> {
  let done = false;
  const startedAt = performance.now();
  const images = Promise.all(
    pagesFrom(13, 50).map((page) => get(target, `${document}/pages/${page}/image?width=900`)),
  ).finally(() => {
    done = true;
  });
  const health: number[] = [];
  while (!done) {
    health.push(await get(target, "/healthz"));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await images;
  return [
    { name: "50 images at once, 900 pixels wide", value: performance.now() - startedAt, unit: "ms", against: "" },
    { name: "meanwhile, GET /healthz: 99th percentile", value: quantile(health, 0.99), unit: "ms", against: "" },
  ];
}

/** Returns `count` different page numbers, spread over the whole file. */
const pagesFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => ((first + index * 389) % pages) + 1);

async function timed(target: Target, numbers: readonly number[], path: (page: number) => string): Promise<number[]> {
  const times: number[] = [];
  for (const number of numbers) times.push(await get(target, path(number)));
  return times;
}

/** Returns the time until the whole response has arrived, in milliseconds. */
async function get({ url, token }: Target, path: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url + path, { headers: { "x-api-key": token } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return performance.now() - startedAt;
}

/**
 * Uploads the file and waits until the document is ready. Returns the document's path in the API.
 */
async function ingest({ url, token }: Target): Promise<string> {
  const headers = { "x-api-key": token, "content-type": "application/json" };
  const post = async (path: string, body: object) => {
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return ((await response.json()) as { data: Record<string, string> }).data;
  };
  const { reference } = await post("/v2/agents", { name: "Pages", type: "DOCUMENTALIST" });
  const file = Buffer.from(longPdf()).toString("base64");
  const { document_reference } = await post(`/v2/agents/${reference}/documents`, { filename: "long.pdf", file });
  const document = `/v2/agents/${reference}/documents/${document_reference}`;
  for (;;) {
    const response = await fetch(url + document, { headers });
    const { status } = ((await response.json()) as { data: { status: string } }).data;
    if (status === "ready") return document;
    if (status === "error") throw new Error("The file was not ingested.");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const longPdf = (): Uint8Array =>
  makePdf({
    pages: Array.from({ length: pages }, (_, page) => ({
      compressed: true,
      marks: Array.from({ length: lines }, (_, line) => ({
        text: `${wordsOfLine.toSpliced((page + line) % wordsOfLine.length, 1, `${page}.${line}`).join(" ")}`,
        ...{ x: 50, y: 800 - line * 14, size: 9 },
      })),
    })),
  });

if (import.meta.main) console.log(table(await benchPages()));
