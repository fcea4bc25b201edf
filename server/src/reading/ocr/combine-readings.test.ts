import assert from "node:assert/strict";
import { test } from "node:test";
import type { Box } from "../document.ts";
import { combined } from "./combine-readings.ts";
import type { RecognizedLine } from "./line-recognizer.ts";
import type { OcrWord } from "./ocr-engine.ts";

/**
 * Distance in pixels between two characters in the images of `imageOf`. Each image is 400×40
 * pixels, and has a dark bar for each character other than a space.
 */
const step = 20;
function imageOf(text: string) {
  const pixels = new Uint8Array(400 * 40).fill(255);
  for (const [index, character] of [...text].entries()) {
    if (character === " ") continue;
    for (let y = 10; y < 30; y++) pixels.fill(0, y * 400 + index * step + 3, y * 400 + index * step + 17);
  }
  return { width: 400, height: 40, pixels };
}

function lineOf(text: string, confidence = 0.95): RecognizedLine {
  const characters = [...text].flatMap((character, index) =>
    character === " " ? [] : [{ text: character, confidence, x: (index + 0.5) * step, space: 0 }],
  );
  return { box: [0, 5, [...text].length * step, 35], characters };
}

function word(text: string, at: number, confidence = 0.9): OcrWord {
  const box: Box = [at * step + 3, 10, (at + text.length) * step - 3, 30];
  return { text, box, confidence, line: 0 };
}

const textsOf = (words: readonly OcrWord[]): string[] => words.map(({ text }) => text);

test("a line that Tesseract has not read is split into words at wide gaps, with boxes around the ink", () => {
  const words = combined([], [lineOf("TOTAL 12")], imageOf("TOTAL 12"));
  assert.deepEqual(textsOf(words), ["TOTAL", "12"]);
  assert.deepEqual(
    words.map(({ box }) => box),
    [
      [3, 10, 97, 30],
      [123, 10, 157, 30],
    ],
  );
});

test("a word that Tesseract splits at a narrow gap stays one word if its characters have high confidence", () => {
  const words = combined([word("TO", 0), word("TAL", 2)], [lineOf("TOTAL")], imageOf("TOTAL"));
  assert.deepEqual(textsOf(words), ["TOTAL"]);
});

test("words outside of all lines are kept", () => {
  const far: OcrWord = { text: "footer", box: [0, 200, 100, 220], confidence: 0.9, line: 3 };
  const words = combined([word("TOTAL", 0), far], [lineOf("TOTAL")], imageOf("TOTAL"));
  assert.deepEqual(textsOf(words), ["TOTAL", "footer"]);
  assert.notEqual(words[0]?.line, words[1]?.line);
});

test("if one recognizer misses a word, the other recognizer's word is used", () => {
  const words = combined([word("TOTAL", 0)], [lineOf("TOTAL 12")], imageOf("TOTAL 12"));
  assert.deepEqual(textsOf(words), ["TOTAL", "12"]);
  const others = combined(
    [word("TOTAL", 0), word("12", 6)],
    [lineOf("TOTAL")].map((line) => ({ ...line, box: [0, 5, 160, 35] as Box })),
    imageOf("TOTAL 12"),
  );
  assert.deepEqual(textsOf(others), ["TOTAL", "12"]);
});
