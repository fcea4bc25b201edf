import assert from "node:assert/strict";
import { test } from "node:test";
import type { Word } from "../../document.ts";
import { hasInk, resolutionOf, useOfText } from "./usable-text.ts";

const page = { width: 600, height: 800 };
const wordsOf = (text: string): Word[] => text.split(" ").map((word) => ({ text: word, box: [0, 0, 1, 1] }));
const scan = [{ box: [0, 0, 600, 790] as const, pixelsPerPoint: 300 / 72 }];
const logo = [{ box: [10, 10, 110, 60] as const, pixelsPerPoint: 600 / 72 }];
const prose = wordsOf(
  "The quick brown fox jumps over the lazy dog; Straße 12, 1.204,50 € l'été café. ".repeat(4).trim(),
);

test("text beside a logo is used, and so is the text layer of a scan", () => {
  for (const pictures of [[], logo, scan]) assert.equal(useOfText(prose, pictures, page), "use");
  assert.equal(useOfText(wordsOf("Page 7"), logo, page), "use");
});

test("pages without text or with unassigned characters get OCR", () => {
  assert.equal(useOfText([], [], page), "ocr");
  assert.equal(useOfText(wordsOf("\ue001\ue002\ue003 \ufffd\ufffd ab"), [], page), "ocr");
});

test("words that mix letters of several scripts get OCR; words of several scripts do not", () => {
  assert.equal(useOfText(wordsOf("ΉʽীҧຏഀহR 㩈ِا Ӓا㦇 and so on"), [], page), "ocr");
  const sound = "Σx 5µm Ωm AI기술 PDF文件 アプリ版 日本語 Привет Hello שלום مرحبا नमस्ते สวัสดี 12 €";
  assert.equal(useOfText(wordsOf(sound), [], page), "use");
});

test("a stamp or odd text on a scan is compared with OCR", () => {
  assert.equal(useOfText(wordsOf("RECEIVED 12 MAY"), scan, page), "compare");
  assert.equal(useOfText(wordsOf("x°; ~|}{ q^% ]".repeat(30)), scan, page), "compare");
});

test("a scan is rendered at its own resolution, within limits", () => {
  assert.equal(resolutionOf([], page), 200);
  assert.equal(resolutionOf(logo, page), 200);
  assert.equal(resolutionOf(scan, page), 300);
  assert.equal(resolutionOf([{ box: scan[0]?.box ?? assert.fail(), pixelsPerPoint: 1 }], page), 150);
  assert.equal(resolutionOf([{ box: scan[0]?.box ?? assert.fail(), pixelsPerPoint: 0 }], page), 200);
});

test("a tint is not ink", () => {
  assert.equal(hasInk({ width: 3, height: 1, pixels: Uint8Array.of(230, 255, 240) }), false);
  assert.equal(hasInk({ width: 3, height: 1, pixels: Uint8Array.of(230, 255, 120) }), true);
});
