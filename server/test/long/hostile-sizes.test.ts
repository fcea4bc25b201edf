/**
 * Small files that claim to be, or become, far larger when they are unpacked. Each is refused
 * within half a minute with little memory, while other requests are served. The service is a
 * process with default settings. Needs Linux.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { memoryOfTree } from "../../src/reading/testing/child-processes.ts";
import { makeHeic } from "../../src/reading/testing/make-heic.ts";
import { entryOf, type HostileEntry, makeHostileZip, repeated } from "../../src/reading/testing/make-hostile-zip.ts";
import { inlineRows, makeDocx, makeXlsx, paragraph } from "../../src/reading/testing/make-office.ts";
import { clientOf, type Place, placeOver, settled } from "../helpers/killed-service.ts";
import { type Running, start } from "../helpers/process.ts";

const params = [{ name: "number", format: "text", description: "Invoice number" }];
const line = "Invoice number: 2026-118";
const maxMemoryBytes = 2 ** 30;
const withinMs = 30_000;

let stack: AsyncDisposableStack;
let place: Place;
let service: Running;
let client: Awaited<ReturnType<typeof clientOf>>;

before(async () => {
  stack = new AsyncDisposableStack();
  place = stack.use(await placeOver("sqlite"));
  service = stack.use(start(["serve"], place.settings));
  client = await clientOf(service);
});
after(() => stack.disposeAsync());

let peak = 0;
let times: number[] = [];
let watching: { stop: () => Promise<void> };

/**
 * Sends harmless requests until stopped. Records their durations, and the peak memory of the
 * service and its child processes.
 */
function watch(): typeof watching {
  [peak, times] = [0, []];
  let over = false;
  const sample = () => {
    peak = Math.max(peak, memoryOfTree(service.child.pid ?? 0));
  };
  sample();
  const sampler = setInterval(sample, 50);
  const asking = (async () => {
    while (!over) {
      const started = performance.now();
      assert.equal((await client.send(client.url, "GET", "/v2/agents")).status, 200);
      times.push(performance.now() - started);
      await sleep(20);
    }
  })();
  const stop = async () => {
    over = true;
    clearInterval(sampler);
    await asking;
  };
  return { stop };
}

beforeEach(() => {
  watching = watch();
});
afterEach(async (t) => {
  await watching.stop();
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
  (t as TestContext).diagnostic(
    `others: ${times.length} answers, p99 ${p99.toFixed(0)} ms; memory ${Math.round(peak / 2 ** 20)} MB`,
  );
  assert.ok(peak > 0 && peak < maxMemoryBytes, `${peak} bytes`);
  assert.ok(times.length > 0);
});

interface Outcome {
  status: number;
  reason?: string;
  number?: string | null;
}

async function extract(name: string, bytes: Uint8Array): Promise<Outcome> {
  const body = JSON.stringify({ filename: name, file: Buffer.from(bytes).toString("base64"), params });
  const headers = { "x-api-key": client.token, "content-type": "application/json" };
  const url = `${client.url}/v2/extractor`;
  const answer = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(withinMs) });
  const { code, detail, data } = (await answer.json()) as {
    code?: string;
    detail?: { reason: string };
    data?: { number: string | null }[];
  };
  if (answer.status === 200) return { status: 200, number: data?.[0]?.number ?? null };
  assert.equal(code, "extraction_failed");
  return { status: answer.status, ...(detail && { reason: detail.reason }) };
}

const refused = (reason: string): Outcome => ({ status: 502, reason });
const read: Outcome = { status: 200, number: "2026-118" };

const main = "word/document.xml";
const namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const documentOf = (body: string) => `<w:document xmlns:w="${namespace}"><w:body>${body}</w:body></w:document>`;
const relationships = entryOf(
  "_rels/.rels",
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${main}"/></Relationships>`,
);
const sound = entryOf(main, documentOf(paragraph(line)));
const megabyte = Buffer.alloc(2 ** 20, " ");

/**
 * Returns a docx whose main part consists of `times` megabytes of spaces and claims to have `size`
 * bytes.
 */
const blanks = (times: number, size?: number, more: Partial<HostileEntry> = {}): Uint8Array => {
  const held = repeated(megabyte, times);
  return makeHostileZip([relationships, { name: main, crc: 0, ...held, ...(size !== undefined && { size }), ...more }]);
};

/** Text with the compression ratio of real markup. */
const noisyMegabyte = Buffer.from("<w:p><w:r><w:t>1</w:t></w:r></w:p>".repeat(2 ** 15)).map((byte, index) =>
  index % 200 === 0 ? 65 + (((index * index * 7919) % 8191) % 26) : byte,
);

function ofParagraphs(megabytes: number): Buffer {
  let piece = "";
  for (let i = 0; piece.length < 2 ** 20; i++) piece += `<w:p>${`<w:r><w:t>${i}</w:t></w:r>`.repeat(50)}</w:p>`;
  return Buffer.from(documentOf(piece.repeat(megabytes)));
}

const gigabyte = 2 ** 30;
/** Returns a readable docx with additional parts. */
const soundWith = (...more: HostileEntry[]): Uint8Array => makeHostileZip([relationships, sound, ...more]);
const numbered = (count: number, entry: HostileEntry): HostileEntry[] =>
  Array.from({ length: count }, (_, index) => ({ ...entry, name: `word/${index}.xml` }));

const bombs: Record<string, [make: () => Uint8Array, outcome: Outcome]> = {
  "10 MB in a few kB": [() => blanks(10), refused("too_complex")],
  "300 MB": [() => blanks(300), refused("too_complex")],
  "10 GB": [() => blanks(10 * 1024, 10 * gigabyte, { large: true }), refused("too_complex")],
  "10 GB that it does not hold": [() => blanks(1, 10 * gigabyte, { large: true }), refused("too_complex")],
  "more than any disk": [() => blanks(1, 2 ** 62, { large: true }), refused("too_complex")],
  "1 GB that is said to be 1 kB": [() => blanks(1024, 1000), refused("too_complex")],
  "1 GB that is said to be as much as allowed": [() => blanks(1024, 250 * 2 ** 20), refused("too_complex")],
  "100 MB that are said to be nothing": [() => blanks(100, 0), refused("too_complex")],
  "1 kB that is said to be 1 MB": [
    () => makeHostileZip([relationships, { ...sound, size: 2 ** 20 }]),
    refused("corrupt"),
  ],
  "parts that share their bytes": [() => soundWith(...numbered(5000, { ...sound, shares: 1 })), refused("too_complex")],
  "100,000 parts": [() => soundWith(...numbered(100_000, sound)), refused("too_complex")],
  "many large parts": [
    () => soundWith(...numbered(20, { name: "", crc: 0, ...repeated(noisyMegabyte, 50) })),
    refused("too_complex"),
  ],
  "archives in archives as its main part": [
    () => makeHostileZip([relationships, entryOf(main, makeHostileZip([entryOf(main, blanks(1024))]))]),
    refused("corrupt"),
  ],
  "an archive of 1 GB beside the main part": [() => soundWith(entryOf("word/embeddings/a.zip", blanks(1024))), read],
  "100 MB of paragraphs as tightly packed as real ones": [
    () => makeHostileZip([relationships, entryOf(main, ofParagraphs(100))]),
    refused("too_complex"),
  ],
};

test("docx files that inflate to far more than their size", async () => {
  for (const [name, [make, outcome]] of Object.entries(bombs)) {
    const bytes = Buffer.from(make());
    assert.deepEqual(await extract("a.docx", bytes), outcome, name);
    assert.equal((await client.upload(client.url, `${name}.docx`, bytes)).status, 202, name);
    // Waits, because the memory limit of this test is for one of these files at a time. Reading two
    // at once uses 1.06 GB, including the service.
    await settled(() => client.list(client.url), withinMs);
  }
  const documents = await settled(() => client.list(client.url), withinMs);
  const statuses = Object.fromEntries(documents.map((document) => [document.name, document.status]));
  for (const [name, [, { status }]] of Object.entries(bombs))
    assert.equal(statuses[`${name}.docx`], status === 200 ? "ready" : "error", name);
});

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
};

/**
 * Returns a black PNG with one bit per pixel. Its image data is complete: the size is not just
 * claimed.
 */
function blackPng(side: number, interlaced = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8);
  header.writeUInt8(interlaced, 12);
  const { packed, size } = repeated(Buffer.alloc((Math.ceil(side / 8) + 1) * 1000), side / 1000);
  // Adler-32 checksum of zeros (RFC 1950).
  const sum = Buffer.alloc(4);
  sum.writeUInt16BE(size % 65_521, 0);
  sum.writeUInt16BE(1, 2);
  const pixels = Buffer.concat([Buffer.of(0x78, 0x9c), packed, sum]);
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, pngChunk("IHDR", header), pngChunk("IDAT", pixels), pngChunk("IEND", Buffer.alloc(0))]);
}

async function claimingJpeg(side: number, progressive: boolean): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const bytes = await sharp({ create: { width: 80, height: 80, channels: 3, background: "black", noise } })
    .jpeg({ progressive })
    .toBuffer();
  const frame = bytes.indexOf(Buffer.of(0xff, progressive ? 0xc2 : 0xc0));
  bytes.writeUInt16BE(side, frame + 5);
  bytes.writeUInt16BE(side, frame + 7);
  return bytes;
}

function claimingHeic(width: number, height: number): Buffer {
  const claim = Buffer.concat([Buffer.of(0, 0, 0, 20), Buffer.from("ispe"), Buffer.alloc(12)]);
  claim.writeUInt32BE(width, 12);
  claim.writeUInt32BE(height, 16);
  return Buffer.concat([Buffer.of(0, 0, 0, 16), Buffer.from("ftypheic\0\0\0\0"), claim]);
}

test("images that claim to be far larger than they are", async () => {
  // Small images of this kind are valid, so the large ones are refused only because of their size.
  assert.equal((await sharp(blackPng(2000)).raw().toBuffer()).length, 2000 * 2000 * 3);
  const pictures: [string, Buffer][] = [
    ["a.jpg", await claimingJpeg(64_250, false)],
    ["b.jpeg", await claimingJpeg(64_250, true)],
    ["c.png", blackPng(50_000)],
    ["d.png", blackPng(50_000, 1)],
    ["e.png", blackPng(100_000)],
  ];
  for (const [name, bytes] of pictures) assert.deepEqual(await extract(name, bytes), refused("too_complex"), name);
  const blank = { width: 64, height: 64, pixels: new Uint8Array(64 * 64).fill(255) };
  pictures.push(
    ["f.heic", claimingHeic(65_535, 65_535)],
    ["g.heic", claimingHeic(2 ** 32 - 1, 2 ** 32 - 1)],
    // The container declares 64 by 64 pixels, but the image stream in it declares far more.
    ["h.heic", Buffer.from(makeHeic(blank, 65_504))],
  );
  for (const [name, bytes] of pictures) assert.equal((await client.upload(client.url, name, bytes)).status, 202);
  const names = pictures.map(([name]) => name);
  const documents = (await settled(() => client.list(client.url), withinMs)).filter(({ name }) => names.includes(name));
  assert.deepEqual(
    documents.map(({ name, status }) => [name, status]),
    names.map((name) => [name, "error"]),
  );
});

test("sheets of a million rows and sixteen thousand columns are not expanded in memory, and formulas are not evaluated", async () => {
  const range = "A1:XFD1048576";
  const far = '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far away</t></is></c></row>';
  const label = '<c r="A1" t="inlineStr"><is><t>Invoice number:</t></is></c>';
  const formula = (text: string, value: string) =>
    `<row r="1">${label}<c r="B1" t="str"><f>${text}</f>${value && `<v>${value}</v>`}</c></row>`;
  const formulas: [string, string][] = [
    ["6*7", "2026-118"],
    ["WEBSERVICE(&quot;http://127.0.0.1:1/&quot;)", "2026-118"],
    [`SUM(${range})`, "2026-118"],
    ["B1", "2026-118"],
    ["REPT(&quot;x&quot;,1E9)", ""],
    ["&quot;4&quot;&amp;&quot;2&quot;", ""],
  ];
  for (const [text, value] of formulas) {
    const sheets = { S: `${formula(text, value)}${far}` };
    assert.deepEqual(await extract("a.xlsx", makeXlsx({ sheets })), { status: 200, number: value || null }, text);
  }
  const first = inlineRows([["Invoice number:", "2026-118"]]);
  const data = `<sheetData>${first}${far}</sheetData>`;
  const whole: Record<string, string> = {
    "a used range": `<dimension ref="${range}"/>${data}`,
    columns: `<cols><col min="1" max="16384" width="255" style="1"/></cols>${data}`,
    "merged cells": `${data}<mergeCells><mergeCell ref="C3:XFD1048575"/></mergeCells>`,
    "merged rows": `${data}<mergeCells>${Array.from({ length: 20_000 }, (_, i) => `<mergeCell ref="C${i + 3}:XFD${i + 3}"/>`).join("")}</mergeCells>`,
    "a shared formula": `<sheetData>${first}<row r="2"><c r="A2"><f t="shared" ref="A2:XFD1048576" si="0">A1+1</f><v>1</v></c></row>${far}</sheetData>`,
    "an array formula": `<sheetData>${first}<row r="2"><c r="A2"><f t="array" ref="A2:XFD1048576">A1:XFD1048576</f><v>1</v></c></row>${far}</sheetData>`,
    formats: `${data}<conditionalFormatting sqref="${range}"><cfRule type="expression" priority="1"><formula>TRUE</formula></cfRule></conditionalFormatting><autoFilter ref="${range}"/>`,
    "places beyond the sheet": `<sheetData>${first}<row r="4294967295"><c r="ZZZZZZZ99999999999"><v>1</v></c></row></sheetData>`,
    corners: `<sheetData>${first}${Array.from({ length: 1000 }, (_, i) => `<row r="${1000 * (i + 2)}"><c r="A${1000 * (i + 2)}"><v>1</v></c><c r="XFD${1000 * (i + 2)}"><v>1</v></c></row>`).join("")}</sheetData>`,
  };
  for (const [name, xml] of Object.entries(whole)) {
    const outcome = await extract("a.xlsx", makeXlsx({ sheets: { S: { xml } } }));
    assert.ok(
      outcome.number === "2026-118" || ["too_complex", "corrupt"].includes(outcome.reason ?? ""),
      `${name} ${JSON.stringify(outcome)}`,
    );
  }
});

test("after all these files, a valid file is read as usual", async () => {
  assert.deepEqual(await extract("a.docx", makeDocx({ body: paragraph(line) })), read);
});
