import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { DrawnWord } from "../layout/page-content.ts";
import { narrowLayout } from "./narrow-layout.ts";

/** Makes a word whose letters are five points wide and ten points high. */
const word = (text: string, x: number, y: number): DrawnWord => ({
  ...{ text, size: 10, direction: [1, 0] as const, origin: [x, y] as const },
  box: [x, y - 7.8, x + text.length * 5, y + 2.2],
});

const receipt = [
  ...[word("HARBOUR", 60, 20), word("BAKERY", 100, 20)],
  ...[word("Bill", 0, 50), word("No:", 25, 50), word("20417", 175, 50)],
  ...[word("Cashier", 0, 62), word("Manager", 165, 62)],
  ...[word("Net", 0, 74), word("total", 20, 74), word("22.95", 175, 74.5)],
];

test("a label and its amount on a receipt are one line", () => {
  const layout = narrowLayout(receipt) ?? assert.fail();
  assert.deepEqual(
    layout.lines.map(({ start, end }) =>
      layout.words
        .slice(start, end)
        .map(({ text }) => text)
        .join(" "),
    ),
    ["HARBOUR BAKERY", "Bill No: 20417", "Cashier Manager", "Net total 22.95"],
  );
  assert.deepEqual(layout.tables, []);
  assert.equal(layout.blocks.at(-1)?.end, 4);
});

test("neither a page with room for columns nor a page without words is laid out as narrow", () => {
  assert.equal(narrowLayout([...receipt, word("beside", 400, 50)]), undefined);
  assert.equal(narrowLayout([]), undefined);
});

test("every word is in one line, and every line in one block", () => {
  const words = fc.array(
    fc
      .tuple(fc.stringMatching(/^[a-z]{1,9}$/), fc.integer({ max: 200, min: 0 }), fc.integer({ max: 400, min: 8 }))
      .map(([text, x, y]) => word(text, x, y)),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(words, (placed) => {
      const layout = narrowLayout(placed);
      if (layout === undefined) return;
      assert.equal(layout.words.length, placed.length);
      assertCovers(layout.lines, layout.words.length);
      assertCovers(layout.blocks, layout.lines.length);
    }),
  );
});

function assertCovers(spans: readonly { start: number; end: number }[], length: number): void {
  let at = 0;
  for (const { start, end } of spans) {
    assert.equal(start, at);
    assert.ok(end > start);
    at = end;
  }
  assert.equal(at, length);
}
