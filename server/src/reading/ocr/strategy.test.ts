import assert from "node:assert/strict";
import { before, test } from "node:test";
import sharp, { type Sharp } from "sharp";
import type { Page } from "../document.ts";
import { identity } from "../pixels/gray-image.ts";
import { grayOf, pictureOf, receiptLines, receiptPdf, receiptWords } from "../testing/page-pictures.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import { ocrPage } from "./ocr-page.ts";
import { loadTesseract } from "./tesseract-core.ts";

let engine: OcrEngine;
let receipt: Sharp;
before(async () => {
  engine = await loadTesseract(["eng"]);
  receipt = await pictureOf(receiptPdf());
});

async function read(picture: Sharp): Promise<Page> {
  const image = await grayOf(picture);
  const { width, height } = image;
  const none = async () => undefined;
  const ocr = { engine: async () => engine, engineFor: none, lines: none, announce: async () => {} };
  return ocrPage(ocr, { image, toPage: identity }, { number: 1, width, height, rotation: 0 });
}

const partRead = (page: Page): number => {
  const texts = page.words.map(({ text }) => text);
  return receiptWords.filter((word) => texts.includes(word)).length / receiptWords.length;
};

const middleOf = (page: Page, text: string): [number, number] => {
  const { box } = page.words.find((word) => word.text === text) ?? assert.fail(`${text} was not read`);
  return [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
};

test("a receipt is read in order, with boxes and confidence", async () => {
  const page = await read(receipt.clone());
  assert.equal(page.source, "ocr");
  assert.deepEqual(
    page.words.map(({ text }) => text),
    receiptWords,
  );
  assert.equal(page.lines.length, receiptLines.length);
  for (const { confidence = 0, box, size = 0 } of page.words) {
    assert.ok(confidence > 0.7 && confidence <= 1);
    assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= page.width && box[3] <= page.height);
    assert.ok(Math.abs(size - (14 * 830) / 300) < 6);
  }
  // "Date" begins 30 points from the left. Its baseline is 262 points from the bottom of the page,
  // which is 420 points high.
  const scale = 830 / 300;
  const [x0, y0, , y1] = page.words[receiptWords.indexOf("Date")]?.box ?? assert.fail();
  assert.ok(Math.abs(x0 - 30 * scale) < 5);
  assert.ok(y0 < (420 - 262 - 9) * scale && y1 > (420 - 262 - 1) * scale && y1 - y0 < 20 * scale);
});

test("reading one image twice gives equal results", async () => {
  assert.deepEqual(await read(receipt.clone()), await read(receipt.clone()));
});

for (const quarters of [1, 2, 3]) {
  test(`a receipt rotated by ${quarters * 90} degrees is read, with boxes on the rotated page`, async () => {
    const upright = await read(receipt.clone());
    const page = await read(receipt.clone().rotate(quarters * 90));
    assert.ok(partRead(page) > 0.9);
    const [x, y] = middleOf(upright, "croissant");
    const { width, height } = upright;
    const expected = [
      [height - y, x],
      [width - x, height - y],
      [y, width - x],
    ][quarters - 1] ?? [0, 0];
    const [foundX, foundY] = middleOf(page, "croissant");
    assert.ok(Math.hypot(foundX - (expected[0] ?? 0), foundY - (expected[1] ?? 0)) < 8);
  });
}

for (const degrees of [2, -5]) {
  test(`a receipt with a skew angle of ${degrees} degrees is read`, async () => {
    const page = await read(receipt.clone().rotate(degrees, { background: "white" }));
    assert.ok(partRead(page) > 0.9);
    assert.equal(page.lines.length, receiptLines.length);
  });
}

test("faint print in a dark frame is read", async () => {
  const faint = receipt.clone().linear(0.25, 165);
  const framed = faint.extend({ top: 60, bottom: 90, left: 80, right: 120, background: "black" });
  assert.ok(partRead(await read(framed)) > 0.9);
});

test("small print is read", async () => {
  assert.ok(partRead(await read(await pictureOf(receiptPdf(), 300))) > 0.7);
});

test("blank images have no words", async () => {
  for (const size of [1, 3, 40]) {
    const page = await read(receipt.clone().extract({ left: 0, top: 0, width: size, height: size }));
    assert.deepEqual(page.words, []);
    assert.deepEqual([page.lines, page.blocks, page.tables], [[], [], []]);
  }
});

test("in an image without text, at most a few words are found", async () => {
  const noise = Array.from({ length: 900 }, (_, at) => (Math.imul(at + 1, 2654435761) >>> 24) % 200);
  const raw = { width: 30, height: 30, channels: 1 as const };
  const page = await read(sharp(Buffer.from(noise), { raw }).resize(500, 500).png());
  assert.ok(page.words.length < 3, page.words.map(({ text }) => text).join(" "));
});
