import assert from "node:assert/strict";
import test from "node:test";
import { answerParts } from "./answer-parts.ts";

const answer = "Three months. It ends in May.";
const cited = (...ranges: [number, number][]) => ({ ranges: ranges.map(([start, end]) => ({ start, end })) });

test("numbers stand after the text that they support", () => {
  assert.deepEqual(answerParts(answer, [cited([0, 13]), cited([14, 29], [0, 13])]), [
    { text: "Three months.", numbers: [1, 2] },
    { text: " It ends in May.", numbers: [2] },
  ]);
});

test("text behind the last citation has no number", () => {
  assert.deepEqual(answerParts(answer, [cited([0, 13])]), [
    { text: "Three months.", numbers: [1] },
    { text: " It ends in May.", numbers: [] },
  ]);
});

test("citations without ranges stand at the end", () => {
  assert.deepEqual(answerParts(answer, [{}, cited()]), [{ text: answer, numbers: [1, 2] }]);
});

test("the parts joined are the answer, whatever the ranges", () => {
  for (const end of [-5, 0, 3, 29, 400]) {
    const parts = answerParts(answer, [cited([0, end]), cited([2, 9])]);
    assert.equal(parts.map(({ text }) => text).join(""), answer);
  }
  assert.deepEqual(answerParts("", []), []);
});
