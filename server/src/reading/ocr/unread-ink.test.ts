import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { GrayImage } from "../pixels/gray-image.ts";
import { grayOf, pictureOf, receiptPdf } from "../testing/page-pictures.ts";
import type { OcrEngine, OcrWord } from "./ocr-engine.ts";
import { loadTesseract } from "./tesseract-core.ts";
import { hasUnreadInk } from "./unread-ink.ts";

let image: GrayImage;
let words: OcrWord[];
before(async () => {
  image = await grayOf(await pictureOf(receiptPdf()));
  const engine: OcrEngine = await loadTesseract(["eng"]);
  words = await engine.readWords(image, "page");
});

test("an image whose text was all read has no unread ink", () => {
  assert.equal(hasUnreadInk(image, words), false);
});

test("a line that was left out is unread ink", () => {
  const line = words.find(({ text }) => text === "croissant")?.line;
  assert.equal(
    hasUnreadInk(
      image,
      words.filter((word) => word.line !== line),
    ),
    true,
  );
});

test("a single number that was left out is unread ink", () => {
  assert.equal(
    hasUnreadInk(
      image,
      words.filter(({ text }) => text !== "22.95"),
    ),
    true,
  );
});

test("an image without words counts as unread", () => {
  assert.equal(hasUnreadInk(image, []), true);
});
