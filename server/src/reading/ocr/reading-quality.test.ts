import assert from "node:assert/strict";
import { test } from "node:test";
import type { OcrWord } from "./ocr-engine.ts";
import { isPoor, likelyText, sureText } from "./reading-quality.ts";

const lineOf = (line: number, ...words: [text: string, confidence: number][]): OcrWord[] =>
  words.map(([text, confidence], index) => ({ text, confidence, line, box: [index * 50, line * 20, 40, 10] }));

const textsOf = (words: readonly OcrWord[]) => words.map(({ text }) => text);

test("words and lines with low confidence are dropped", () => {
  const words = [...lineOf(0, ["Total", 0.9], ["~oe", 0.1]), ...lineOf(1, ["wee", 0.4], ["rrr", 0.4])];
  assert.deepEqual(textsOf(likelyText(words)), ["Total"]);
});

test("a poor reading keeps only its captions", () => {
  const caption = lineOf(0, ["Figure", 0.95], ["3", 0.9]);
  const scattered = [...lineOf(1, ["oe", 0.9]), ...lineOf(2, ["wae", 0.5], ["rnn", 0.6]), ...lineOf(3, ["|", 0.95])];
  assert.ok(isPoor([...caption, ...scattered]));
  assert.deepEqual(textsOf(sureText([...caption, ...scattered])), ["Figure", "3"]);
});
