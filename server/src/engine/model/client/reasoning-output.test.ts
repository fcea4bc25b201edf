import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ReasoningFilter, withoutReasoning } from "./reasoning-output.ts";

function filtered(pieces: readonly string[], holdsBack: boolean): { said: string; unmarked: boolean } {
  const filter = new ReasoningFilter(holdsBack);
  const said = pieces.map((piece) => filter.push(piece)).join("") + filter.end();
  return { said, unmarked: filter.sawUnmarked };
}

for (const [text, said] of [
  ["plain", "plain"],
  ["<think>a</think>b", "b"],
  ["a<think>b</think>c<think>d</think>e", "ace"],
  ["<think>without end", ""],
  ["1 < 2 and <thinking> stays", "1 < 2 and <thinking> stays"],
  ["ends with <thi", "ends with <thi"],
] as const)
  for (const holdsBack of [true, false])
    test(`${text} yields ${said}${holdsBack ? ", held back" : ""}`, () =>
      assert.deepEqual(filtered([text], holdsBack), { said, unmarked: false }));

test("reasoning output that begins in the prompt is removed if the text is held back", () => {
  assert.deepEqual(filtered(["a</think>b"], true), { said: "b", unmarked: true });
  assert.equal(filtered(["a</think>b"], false).unmarked, true);
});

test("the result does not depend on how the text is cut into pieces", () => {
  const tokens = fc.constantFrom("<think>", "</think>", "<", "think>", "</th", "word ", "é", "\n");
  fc.assert(
    fc.property(fc.array(tokens), fc.array(fc.nat(40)), fc.boolean(), (parts, cuts, holdsBack) => {
      const text = parts.join("");
      const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
      assert.deepEqual(filtered(pieces, holdsBack), filtered([text], holdsBack));
    }),
  );
});

test("marks inside JSON are kept", () => {
  const text = '{"quote": "a</think>b"}';
  assert.deepEqual(withoutReasoning(text), { said: text, unmarked: false });
  assert.deepEqual(withoutReasoning(`hm</think>\n${text}`), { said: '\n{"quote": "ab"}', unmarked: true });
});
