/**
 * Untrusted text is processed in linear time: every function that accepts such text is timed with
 * adversarial inputs.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { slowUnits } from "../helpers/growth.ts";
import { takersOfText } from "../helpers/takers-of-text.ts";

/**
 * Length of the shorter text in UTF-16 code units. The longer text is four times as long. All
 * inputs together took 31 s of processor time at a load of 14 (2026-11).
 */
const length = 1_500;

for (const [area, works] of Object.entries(takersOfText))
  describe(`untrusted text takes linear time: ${area}`, () => {
    for (const [name, work] of Object.entries(works)) test(name, () => assert.deepEqual(slowUnits(work, length), []));
  });

/** Does quadratic work: compares every character of `text` with every character of `other`. */
function pairsOf(text: string, other: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++)
    for (let to = 0; to < other.length; to++) if (text[at] === other[to]) pairs++;
  return pairs;
}

test("quadratic work is reported, and linear work of the same duration is not", () => {
  assert.equal(slowUnits((text) => pairsOf(text, text), length, ["a"]).length, 1);
  const other = "x".repeat(4 * length);
  assert.deepEqual(
    slowUnits((text) => pairsOf(text, other), length, ["a"]),
    [],
  );
  const slow = slowUnits((text) => /a+$/.test(text), length, ["a", "b", "a-"]);
  assert.deepEqual(
    slow.map(({ unit }) => unit),
    ["a"],
  );
});
