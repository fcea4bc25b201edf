import assert from "node:assert/strict";
import test from "node:test";
import { answerParts } from "./answer-parts.ts";

const answer = "Three months. It ends in May.";
const cited = (...ranges: [number, number][]) => ({ ranges: ranges.map(([start, end]) => ({ start, end })) });

test("the numbers of citations come after the text that the citations support", () => {
  assert.deepEqual(answerParts(answer, [cited([0, 13]), cited([14, 29], [0, 13])]), [
    { text: "Three months.", numbers: [1, 2] },
    { text: " It ends in May.", numbers: [2] },
  ]);
});

test("text after the last citation has no number", () => {
  assert.deepEqual(answerParts(answer, [cited([0, 13])]), [
    { text: "Three months.", numbers: [1] },
    { text: " It ends in May.", numbers: [] },
  ]);
});

test("citations without ranges come at the end", () => {
  assert.deepEqual(answerParts(answer, [{}, cited()]), [{ text: answer, numbers: [1, 2] }]);
});

test("joining the parts yields the whole answer, even if ranges are invalid", () => {
  for (const end of [-5, 0, 3, 29, 400]) {
    const parts = answerParts(answer, [cited([0, end]), cited([2, 9])]);
    assert.equal(parts.map(({ text }) => text).join(""), answer);
  }
  assert.deepEqual(answerParts("", []), []);
});
