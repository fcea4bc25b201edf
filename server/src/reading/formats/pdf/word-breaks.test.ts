import assert from "node:assert/strict";
import test from "node:test";
import type { Character, CharacterStyle } from "./characters.ts";
import { relationOf } from "./word-breaks.ts";

const style: CharacterStyle = { size: 10, bold: false, direction: [1, 0] };
const characterAt = (left: number, text: string, more: Partial<Character> = {}): Character => ({
  code: text.charCodeAt(0),
  x: left,
  y: 100,
  left,
  top: 92,
  right: left + 5,
  bottom: 102,
  style,
  object: 1,
  ...more,
});

test("an inferred space between touching or kerned characters does not end the word", () => {
  for (const left of [55, 55.3, 54])
    assert.equal(relationOf(style, characterAt(50, "2"), characterAt(left, "3"), true), "part");
});

test("an inferred space with white space ends the word", () => {
  assert.equal(relationOf(style, characterAt(50, "2"), characterAt(56, "3"), true), "apart");
  assert.equal(relationOf(style, characterAt(50, "2"), characterAt(56, "3"), false), "part");
});

test("an inferred space between styles or on skewed text ends the word", () => {
  const other = { ...style, bold: true };
  const skewed: CharacterStyle = { ...style, direction: [0.7, 0.7] };
  assert.equal(relationOf(style, characterAt(50, "2"), characterAt(55, "3", { style: other }), true), "apart");
  const [last, next] = [characterAt(50, "2", { style: skewed }), characterAt(55, "3", { style: skewed })];
  assert.equal(relationOf(skewed, last, next, true), "apart");
});
