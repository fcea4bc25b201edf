import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import sharp, { type Sharp } from "sharp";
import { type Box, type Document, lineText, maxBarcodes, type Page, pageText } from "../document.ts";
import { openReader } from "../open-reader.ts";
import type { ProcessReader, ReadableExtension } from "../reader.ts";
import { barcodeImage, drawnBarcode, placedBarcode } from "../testing/make-barcodes.ts";
import { makeHeic } from "../testing/make-heic.ts";
import { type Mark, makePdf } from "../testing/make-pdf.ts";
import { grayOf, pictureOf, receiptMarks, receiptPdf, receiptWords } from "../testing/page-pictures.ts";
import { patientSettings } from "../testing/patient-settings.ts";
import { swissLines, swissPayload } from "../testing/payment-payloads.ts";

let folder: string;
let reader: ProcessReader;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "reading-"));
  reader = openReader({ ...patientSettings, processes: 1 });
});
after(async () => {
  await reader.close();
  await rm(folder, { recursive: true });
});

async function read(bytes: Uint8Array, extension: ReadableExtension): Promise<Document> {
  const path = join(folder, `file.${extension}`);
  await writeFile(path, bytes);
  return reader.read(path, extension);
}
const readPage = async (marks: readonly Mark[], rotate = 0, userUnit = 1): Promise<Page> => {
  const pages = [{ marks, mediaBox: [0, 0, 400, 600] as const, rotate, userUnit }];
  return (await read(makePdf({ pages }), "pdf")).pages[0] ?? assert.fail();
};
const codesOf = ({ barcodes = [] }: Page) => barcodes.map(({ kind, text }) => [kind, text]);
function assertNear(box: Box | undefined, expected: Box): void {
  for (const [at, edge] of expected.entries())
    assert.ok(Math.abs((box?.[at] ?? Number.NaN) - edge) <= 2, `${box} is not near ${expected}`);
}
/**
 * Adds noise to an image. The noise is the same in every run, and image libraries can't remove it.
 */
async function noisy(picture: Sharp): Promise<Sharp> {
  const { width, height, pixels } = await grayOf(picture);
  let state = 7;
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = Math.min(255, Math.max(0, (pixels[at] ?? 0) * 0.85 + 16 + ((state >>> 20) & 31) - 16));
  }
  return sharp(pixels, { raw: { width, height, channels: 1 } });
}

test("codes are read from images in each format", async () => {
  const code = placedBarcode(await barcodeImage("qrcode", "https://example.com/invoices/4711"), [190, 200, 90, 90]);
  const page = await pictureOf(receiptPdf([...receiptMarks, code]), 1000);
  const files: [ReadableExtension, Uint8Array][] = [
    ["png", await page.clone().png().toBuffer()],
    ["jpg", await (await noisy(page.clone())).jpeg({ quality: 60 }).toBuffer()],
    ["heic", makeHeic(await grayOf(page.clone()))],
  ];
  for (const [extension, bytes] of files) {
    const first = (await read(bytes, extension)).pages[0] ?? assert.fail();
    const { words, lines, blocks, barcodes } = first;
    assert.deepEqual(codesOf(first), [["qr_code", "https://example.com/invoices/4711"]], extension);
    const [{ box, start, end }] = barcodes as [NonNullable<Page["barcodes"]>[number]];
    assertNear(box.map((edge) => edge * 0.3) as unknown as Box, [190, 420 - 290, 280, 220]);
    for (const word of receiptWords)
      assert.ok(
        words.some(({ text }) => text === word),
        word,
      );
    assert.deepEqual([start, end], [words.length - 1, words.length]);
    assert.deepEqual(words.at(-1), { text: "https://example.com/invoices/4711", box });
    assert.deepEqual(lines.at(-1), { box, start, end });
    assert.deepEqual(blocks.at(-1), { kind: "paragraph", box, start: lines.length - 1, end: lines.length });
  }
});

test("codes on a PDF page with text are read, both as images and drawn with rectangles", async () => {
  const image = placedBarcode(await barcodeImage("qrcode", swissPayload, { scale: 3 }), [60, 100, 130, 130]);
  const module = await barcodeImage("datamatrix", "LOT-2026-0815", { scale: 1 });
  const drawn = drawnBarcode(module, [260, 200], 2);
  const page = await readPage([{ text: "Payment part", x: 60, y: 500 }, image, drawn]);
  assert.equal(page.source, "text");
  assert.deepEqual(codesOf(page), [
    ["data_matrix", "LOT-2026-0815"],
    ["qr_code", swissLines.join("\n")],
  ]);
  const [small, large] = page.barcodes ?? [];
  const side = module.width * 2;
  assertNear(small?.box, [260, 600 - 200 - side, 260 + side, 400]);
  assertNear(large?.box, [60, 600 - 230, 190, 500]);
  const lines = page.lines.map((line) => lineText(page, line));
  assert.deepEqual(lines, ["Payment part", "LOT-2026-0815", ...swissLines.filter((line) => line !== "")]);
});

test("bars are found as thin rectangles and as strokes, and on rotated and scaled pages", async () => {
  const modules = await barcodeImage("code128", "AWB0034043416", { scale: 1, height: 10 });
  const row = { width: modules.width, height: 1, pixels: modules.pixels.subarray(0, modules.width) };
  const bars: string[] = [];
  const strokes: string[] = [];
  for (let x = 0; x < row.width; x++) {
    if ((row.pixels[x] ?? 255) > 127) continue;
    bars.push(`${60 + x * 1.2} 300 1.2 40 re`);
    strokes.push(`${60.6 + x * 1.2} 300 m ${60.6 + x * 1.2} 340 l`);
  }
  const text: Mark = { text: "Air waybill", x: 60, y: 500 };
  for (const raw of [`q 0 g ${bars.join(" ")} f Q`, `q 1.2 w ${strokes.join(" S ")} S Q`]) {
    for (const [rotate, userUnit] of [
      [0, 1],
      [90, 1],
      [0, 2],
    ] as const) {
      const page = await readPage([text, { raw }], rotate, userUnit);
      assert.deepEqual(codesOf(page), [["code_128", "AWB0034043416"]], `${raw.slice(0, 40)} ${rotate} ${userUnit}`);
    }
  }
});

test("a sheet of labels is searched as a whole", async () => {
  const modules = await barcodeImage("datamatrix", "SHELF-17", { scale: 1 });
  const places = Array.from({ length: 12 }, (_, index): [number, number] => [
    30 + (index % 4) * 90,
    80 + (index >> 2) * 150,
  ]);
  const page = await readPage([
    { text: "Labels", x: 30, y: 560 },
    ...places.map((place) => drawnBarcode(modules, place, 2.5)),
  ]);
  assert.equal(page.barcodes?.length, 12);
});

test("no codes are found on pages with text, tables, logos and charts", async () => {
  const logo = await grayOf(sharp({ create: { width: 80, height: 40, channels: 3, background: "#304080" } }));
  const columns = Array.from({ length: 12 }, (_, index) => `${60 + index * 20} 200 6 ${20 + index * 9} re`);
  const page = await readPage([
    ...receiptMarks,
    placedBarcode(logo, [300, 540, 80, 40]),
    ...[180, 160, 140].map((y): Mark => ({ line: [60, y, 360, y] })),
    { raw: `q 0 g ${columns.join(" ")} f Q` },
  ]);
  assert.equal("barcodes" in page, false);
});

test("the codes of a scanned page follow its text", async () => {
  const code = placedBarcode(await barcodeImage("ean13", "4006381333931"), [160, 190, 110, 50]);
  const paper = await grayOf(await pictureOf(receiptPdf([...receiptMarks, code])));
  const scan = placedBarcode(paper, [0, 40, 400, 560]);
  const page = await readPage([scan]);
  assert.equal(page.source, "ocr");
  assert.deepEqual(codesOf(page), [["ean_13", "4006381333931"]]);
  assert.ok(pageText(page).endsWith("4006381333931"));
  // A scan keeps the text that an earlier OCR run added to it.
  const hidden: Mark[] = receiptMarks.map((mark) => ({
    raw: `BT 3 Tr /F0 12 Tf 30 ${"y" in mark ? mark.y : 0} Td (${"text" in mark ? mark.text : ""} and more words) Tj ET`,
  }));
  const searchable = await readPage([scan, ...hidden]);
  assert.equal(searchable.source, "text");
  assert.deepEqual(codesOf(searchable), [["ean_13", "4006381333931"]]);
});

test("a page with more codes than are kept, and a giant image, are read in bounded time", async () => {
  const tile = await barcodeImage("datamatrix", "1", { scale: 3 });
  const sheet = sharp({ create: { width: 1_200, height: 1_200, channels: 3, background: "white" } });
  const input = await sharp(tile.pixels, { raw: { width: tile.width, height: tile.height, channels: 1 } })
    .extend({ top: 30, bottom: 30, left: 30, right: 30, background: "white" })
    .png()
    .toBuffer();
  const many = await sheet
    .composite([{ input, tile: true }])
    .png()
    .toBuffer();
  assert.equal((await read(many, "png")).pages[0]?.barcodes?.length, maxBarcodes);
  const giant = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: "white" } })
    .png()
    .toBuffer();
  assert.deepEqual((await read(giant, "png")).pages[0]?.words, []);
});
