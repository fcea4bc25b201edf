import assert from "node:assert/strict";
import { test } from "node:test";
import type { OcrWord } from "./ocr-engine.ts";
import { withWholeAmounts } from "./split-amounts.ts";

/**
 * Makes the words of one line. Each letter is ten pixels wide, and there are `gap` pixels between
 * two words.
 */
function lineOf(texts: readonly string[], gap: number): OcrWord[] {
  let x = 0;
  return texts.map((text) => {
    const word: OcrWord = { text, box: [x, 0, x + text.length * 10, 20], confidence: 0.9, line: 0 };
    x += text.length * 10 + gap;
    return word;
  });
}

const textsOf = (texts: readonly string[], gap = 10) => withWholeAmounts(lineOf(texts, gap)).map(({ text }) => text);

test("an amount that the engine split is joined into one word", () => {
  assert.deepEqual(textsOf(["TOTAL", "RM20.", "40"]), ["TOTAL", "RM20.40"]);
  assert.deepEqual(textsOf(["RM1.", "38", "SR"]), ["RM1.38", "SR"]);
  const [, amount] = withWholeAmounts(lineOf(["CASH", "-30.", "00"], 10));
  assert.deepEqual(amount, { text: "-30.00", box: [50, 0, 120, 20], confidence: 0.9, line: 0 });
});

test("separate numbers side by side are not joined", () => {
  assert.deepEqual(textsOf(["Lot", "38.", "39"], 26), ["Lot", "38.", "39"]);
  assert.deepEqual(textsOf(["NO", "24,", "25"]), ["NO", "24,", "25"]);
  assert.deepEqual(textsOf(["Total", "12.", "5"]), ["Total", "12.", "5"]);
});

test("the number of a list item is not joined to the next word", () => {
  assert.deepEqual(textsOf(["3.", "15", "eggs"]), ["3.", "15", "eggs"]);
  const lines = [...lineOf(["a", "b"], 10), ...lineOf(["3.", "15"], 10).map((word) => ({ ...word, line: 1 }))];
  assert.equal(withWholeAmounts(lines).length, 4);
});
