import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { pageText } from "../document.ts";
import { openReader } from "../open-reader.ts";
import { type ProcessReader, type ReadableExtension, ReadingError, type RenderableExtension } from "../reader.ts";
import { type Mark, makePdf } from "../testing/make-pdf.ts";
import { pictureOf, receiptMarks, receiptPdf, receiptWords } from "../testing/page-pictures.ts";
import { patientSettings } from "../testing/patient-settings.ts";

let folder: string;
let reader: ProcessReader;
let gray: Buffer;
const [columns, rows] = [830, 1162];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "reading-"));
  reader = openReader({ ...patientSettings, processes: 1 });
  gray = await (await pictureOf(receiptPdf(), columns)).toColourspace("b-w").extractChannel(0).raw().toBuffer();
});
after(async () => {
  await reader.close();
  await rm(folder, { recursive: true });
});

async function save(bytes: Uint8Array, extension: ReadableExtension): Promise<string> {
  const path = join(folder, `file.${extension}`);
  await writeFile(path, bytes);
  return path;
}

/** An image of the receipt that fills the page. */
const scan = (): Mark => ({
  raw: `q 300 0 0 420 0 0 cm BI /W ${columns} /H ${rows} /CS /G /BPC 8 /F /AHx ID ${gray.toString("hex")}> EI Q`,
});
const page = (...marks: Mark[]) => ({ marks, mediaBox: [0, 0, 300, 420] as const });
const invisible = (text: string, y: number): Mark => ({ raw: `BT 3 Tr /F0 14 Tf 30 ${y} Td (${text}) Tj ET` });

test("pages with text keep it, scans get OCR, blank pages stay blank", async () => {
  const pages = [page({ text: "Plain text", x: 30, y: 300 }), page(scan()), page()];
  const document = await reader.read(await save(makePdf({ pages }), "pdf"), "pdf");
  assert.deepEqual(
    document.pages.map(({ source }) => source),
    ["text", "ocr", "text"],
  );
  const [first, second, third] = document.pages.map(pageText);
  assert.equal(first, "Plain text");
  assert.match(second ?? "", /Total amount 22\.95/);
  assert.equal(third, "");
  const total = document.pages[1]?.words.find(({ text }) => text === "Total") ?? assert.fail();
  // The word is 14 points high. Its baseline is 118 points above the bottom of the page, which is
  // 420 points high.
  assert.ok(Math.abs(total.box[0] - 30) < 2 && total.box[1] > 284 && total.box[3] < 310);
  assert.ok((total.confidence ?? 0) > 0.7);
});

test("a scan with a good text layer keeps it; one with a stamp or garbage gets OCR", async () => {
  const text = receiptMarks.flatMap((mark) =>
    "text" in mark ? [invisible(`${mark.text} as read before`, mark.y)] : [],
  );
  const garbage = Array.from({ length: 40 }, (_, index) => invisible("x\u00b0; ~|}{ q^%", 400 - index * 10));
  const pages = [page(scan(), ...text), page(scan(), { text: "PAGE 7", x: 200, y: 5 }), page(scan(), ...garbage)];
  const document = await reader.read(await save(makePdf({ pages }), "pdf"), "pdf");
  assert.deepEqual(
    document.pages.map(({ source }) => source),
    ["text", "ocr", "ocr"],
  );
  assert.match(pageText(document.pages[0] ?? assert.fail()), /as read before/);
  assert.match(pageText(document.pages[2] ?? assert.fail()), /HARBOUR STREET BAKERY/);
});

test("pages whose text consists of meaningless characters get OCR", async () => {
  const toUnicode = Object.fromEntries([..."abcdeilnoprtuyABHST"].map((letter) => [letter, "\ue000"]));
  const document = await reader.read(await save(makePdf({ pages: [page(...receiptMarks)], toUnicode }), "pdf"), "pdf");
  assert.match(pageText(document.pages[0] ?? assert.fail()), /Harbour Street/);
});

test("a blank page and a blank image are pages without words", async () => {
  const path = await save(makePdf({ pages: [page({ shade: [0, 0, 300, 420] })] }), "pdf");
  assert.deepEqual(
    (await reader.read(path, "pdf")).pages.map(({ source, words }) => [source, words.length]),
    [["text", 0]],
  );
  const white = await sharp({ create: { width: 30, height: 20, channels: 3, background: "white" } })
    .png()
    .toBuffer();
  const { mime, pages } = await reader.read(await save(white, "png"), "png");
  assert.equal(mime, "image/png");
  assert.deepEqual(
    pages.map(({ width, height, words }) => [width, height, words.length]),
    [[30, 20, 0]],
  );
});

test("a rotated photograph becomes an upright page, measured in pixels", async () => {
  const turned = await (await pictureOf(receiptPdf())).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const { mime, pages } = await reader.read(await save(turned, "jpg"), "jpg");
  assert.equal(mime, "image/jpeg");
  assert.deepEqual([pages[0]?.width, pages[0]?.height, pages[0]?.rotation], [columns, rows, 0]);
  assert.match(pageText(pages[0] ?? assert.fail()), /^HARBOUR STREET BAKERY LTD\n/);
});

test("the second recognizer reads poor print in the sandbox; Tesseract alone misreads some of it", async () => {
  const small = await (await pictureOf(receiptPdf(), 260)).blur(0.6).png().toBuffer();
  const wordsOf = async (by: ProcessReader): Promise<string[]> => {
    const { pages } = await by.read(await save(small, "png"), "png");
    return pages.flatMap(({ words }) => words.map(({ text }) => text));
  };
  assert.deepEqual(await wordsOf(reader), receiptWords);
  const alone = openReader({
    ...{ ...patientSettings, processes: 1 },
    ocr: { ...patientSettings.ocr, onlyTesseract: true },
  });
  try {
    assert.notDeepEqual(await wordsOf(alone), receiptWords);
  } finally {
    await alone.close();
  }
});

test("a ruled table on a skewed scan has the printed cells, with boxes in the coordinates of the scan", async () => {
  const cells = [
    ["Article", "Quantity", "Price"],
    ["Copper pipe", "12", "48.60"],
    ["Brass valve", "3", "27.90"],
    ["Sealing tape", "40", "36.00"],
  ];
  const edges = [30, 140, 210, 280];
  const marks: Mark[] = [
    { text: "Delivery of 14 March 2026", x: 30, y: 380, size: 12 },
    ...edges.map((x): Mark => ({ line: [x, 220, x, 340] })),
    ...[0, 1, 2, 3, 4].map((row): Mark => ({ line: [30, 340 - row * 30, 280, 340 - row * 30] })),
    ...cells.flatMap((row, y) =>
      row.map((text, x): Mark => ({ text, x: (edges[x] ?? 0) + 6, y: 321 - y * 30, size: 11 })),
    ),
  ];
  const print = await (await pictureOf(receiptPdf(marks))).png().toBuffer();
  const skewed = await sharp(print).rotate(1.6, { background: "white" }).jpeg().toBuffer();
  const [read] = (await reader.read(await save(skewed, "jpg"), "jpg")).pages;
  const [table, ...more] = read?.tables ?? [];
  assert.deepEqual([table?.rows, table?.columns, table?.ruled, more.length], [4, 3, true, 0]);
  const textOf = (row: number, column: number): string | undefined =>
    table?.cells
      .find((cell) => cell.row === row && cell.column === column)
      ?.words.map((word) => read?.words[word]?.text)
      .join(" ");
  assert.deepEqual(
    cells.map((row, y) => row.map((_, x) => textOf(y, x))),
    cells,
  );
  // The last word of the last row is lower on the scan than the first, because the scan is skewed.
  const wordAt = (text: string) => read?.words.find((word) => word.text === text)?.box ?? assert.fail();
  const [sealing, price] = [wordAt("Sealing"), wordAt("36.00")];
  const drop = (price[3] - sealing[3]) / (price[0] - sealing[0]);
  assert.ok(Math.abs(drop - Math.tan((1.6 * Math.PI) / 180)) < 0.015, `${drop}`);
});

test("pages are rendered as images, whole and in part", async () => {
  const pdf = receiptPdf([{ raw: "1 0 0 rg 0 0 150 210 re f" }]);
  const photograph = await (await pictureOf(pdf)).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const files: [Uint8Array, RenderableExtension, number][] = [
    [pdf, "pdf", 1],
    [photograph, "jpg", columns / 300],
  ];
  for (const [bytes, extension, scale] of files) {
    const path = await save(bytes, extension);
    const whole = await reader.renderPage(path, extension, { page: 1, width: 150, format: "webp" });
    assert.deepEqual([whole.width, whole.height], [150, 210]);
    assert.deepEqual(await colorAt(whole.bytes, 10, 200), "red");
    assert.deepEqual(await colorAt(whole.bytes, 140, 10), "white");
    const box = [0, 200 * scale, 100 * scale, 400 * scale] as const;
    const part = await reader.renderPage(path, extension, { page: 1, width: 50, box, format: "png" });
    assert.deepEqual([part.width, part.height], [50, 100]);
    assert.deepEqual([await colorAt(part.bytes, 10, 1), await colorAt(part.bytes, 10, 90)], ["white", "red"]);
    const missing = reader.renderPage(path, extension, { page: 2, width: 50, format: "png" });
    await assert.rejects(missing, (error) => error instanceof ReadingError && error.reason === "empty");
    await assert.rejects(reader.renderPage(path, extension, { page: 1, width: 9000, format: "png" }), RangeError);
  }
});

async function colorAt(bytes: Uint8Array, left: number, top: number): Promise<string> {
  const pixel = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  const [red = 0, green = 0, blue = 0] = pixel;
  return green > 200 && blue > 200 ? "white" : red > 200 && green < 60 && blue < 60 ? "red" : [...pixel].join();
}
