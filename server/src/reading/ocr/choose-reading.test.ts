import assert from "node:assert/strict";
import { test } from "node:test";
import { betterOf, type Candidate, type ReadPlace } from "./choose-reading.ts";

/**
 * Returns the reading that is chosen. In the arguments, "_" stands for a character that the
 * recognizer did not read.
 */
function chosen(
  first: string,
  firstConfidence: number,
  second: string,
  seconds: number[] | number,
): Candidate | undefined {
  const confidences = typeof seconds === "number" ? [...second].map(() => seconds) : seconds;
  const places = [...first].map((text, index): ReadPlace => {
    const other = second[index] ?? "_";
    return {
      ...(text !== "_" && { first: text }),
      ...(other !== "_" && { second: { text: other, confidence: confidences[index] ?? 0 } }),
    };
  });
  const plain = (text: string) => text.replaceAll("_", "");
  return betterOf(
    { text: plain(first), confidence: firstConfidence },
    { text: plain(second), confidence: Math.min(...confidences) },
    places,
  );
}

test("a word that both recognizers read the same has a higher confidence than either reading", () => {
  const word = chosen("TOTAL", 0.9, "TOTAL", 0.8);
  assert.equal(word?.text, "TOTAL");
  assert.ok(word.confidence > 0.9 && word.confidence <= 1);
});

test("a digit with high confidence replaces one with low confidence, but not the reverse", () => {
  assert.equal(chosen("12.40", 0.6, "12.90", 0.99)?.text, "12.90");
  assert.equal(chosen("12.40", 0.95, "12.90", 0.6)?.text, "12.40");
});

test("letters that only Tesseract knows are kept, even in a word that the second recognizer read", () => {
  assert.equal(chosen("Größe", 0.7, "GroBe", 0.99)?.text, "Größe");
  assert.equal(chosen("Gr0ße", 0.6, "GroBe", 0.99)?.text, "Große");
  assert.equal(chosen("5€", 0.6, "5E", 0.99)?.text, "5€");
});

test("a letter that the second recognizer misses is kept, and a point that Tesseract misses is added", () => {
  assert.equal(chosen("SELANGOR", 0.6, "SE_ANGOR", 0.99)?.text, "SELANGOR");
  assert.equal(chosen("64_13", 0.89, "64.13", [0.99, 0.99, 0.3, 0.99, 0.99])?.text, "64.13");
});

test("a reading that mixes letters and digits in a word is less likely to be chosen", () => {
  assert.equal(chosen("RESERVATION", 0.96, "RESERVAT10N", 0.93)?.text, "RESERVATION");
  assert.equal(chosen("*6oods", 0.85, "*Goods", 0.66)?.text, "*Goods");
});

test("if the recognizers differ, the word has at most the confidence of the chosen reading", () => {
  for (const [first, second] of [
    [0.3, 0.95],
    [0.95, 0.3],
    [0.7, 0.7],
  ] as const) {
    const word = chosen("cone", first, "come", second);
    assert.ok(word !== undefined && word.confidence <= (word.text === "cone" ? first : second));
  }
});

test("a word that only one recognizer read, with low confidence, is dropped", () => {
  assert.equal(betterOf({ text: "~", confidence: 0.2 }, undefined, [{ first: "~" }]), undefined);
  assert.equal(betterOf(undefined, { text: "x", confidence: 0.2 }, []), undefined);
  assert.equal(betterOf(undefined, { text: "0.00", confidence: 0.9 }, [])?.text, "0.00");
});
