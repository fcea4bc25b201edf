import assert from "node:assert/strict";
import { before, test } from "node:test";
import { makePdf } from "../testing/make-pdf.ts";
import { grayOf, pictureOf, receiptLines, receiptPdf, receiptWords } from "../testing/page-pictures.ts";
import { combined } from "./combine-readings.ts";
import { type LineRecognizer, loadLineRecognizer } from "./line-recognizer.ts";

let recognizer: LineRecognizer;
before(async () => {
  recognizer = (await loadLineRecognizer()) ?? assert.fail("the packages of the second recognizer are missing");
});

const all = () => true;
const textsOf = (words: readonly { text: string }[]): string[] => words.map(({ text }) => text);

test("the lines of a receipt are found and read, with spaces and boxes", async () => {
  const image = await grayOf(await pictureOf(receiptPdf()));
  const lines = await recognizer.readLines(image, Number.POSITIVE_INFINITY, all);
  assert.equal(lines.length, receiptLines.length);
  const words = combined([], lines, image);
  assert.deepEqual(textsOf(words), receiptWords);
  for (const { box, confidence } of words) {
    assert.ok(box[0] < box[2] && box[1] < box[3] && box[2] <= image.width && box[3] <= image.height);
    assert.ok(confidence > 0.5 && confidence <= 1);
  }
  const [first] = words;
  const letters = 14 * 0.72 * (830 / 300);
  assert.ok(first && Math.abs(first.box[3] - first.box[1] - letters) < 5, "the box fits the capitals");
});

test("the same image gives the same lines, and lines that are not wanted are not read", async () => {
  const image = await grayOf(await pictureOf(receiptPdf()));
  const [once, again] = [await recognizer.readLines(image, 28, all), await recognizer.readLines(image, 28, all)];
  assert.deepEqual(once, again);
  const upper = await recognizer.readLines(image, 28, (box) => box[3] < image.height / 2);
  assert.deepEqual(
    upper,
    once.filter(({ box }) => box[3] < image.height / 2),
  );
  assert.ok(upper.length > 0 && upper.length < once.length);
});

test("lines of a page that is read in strips are found once", async () => {
  const marks = Array.from({ length: 40 }, (_, index) => ({
    text: `Position ${index + 1001}`,
    x: 60,
    y: 780 - index * 18,
    size: 11,
  }));
  const image = await grayOf(await pictureOf(makePdf({ pages: [{ marks, mediaBox: [0, 0, 595, 842] }] }), 1240));
  const lines = await recognizer.readLines(image, 16, all);
  assert.deepEqual(
    textsOf(combined([], lines, image)),
    marks.flatMap(({ text }) => text.split(" ")),
  );
});

test("an image without text has no lines", async () => {
  const blank = { width: 400, height: 300, pixels: new Uint8Array(400 * 300).fill(255) };
  assert.deepEqual(await recognizer.readLines(blank, Number.POSITIVE_INFINITY, all), []);
  const dot = { width: 1, height: 1, pixels: new Uint8Array(1) };
  assert.deepEqual(await recognizer.readLines(dot, 20, all), []);
});
