import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorAt, layOutPages, offsetOf, pageAt, pageGap } from "./page-layout.ts";

const sizes = [
  { width: 100, height: 200 },
  { width: 200, height: 100 },
  { width: 100, height: 100 },
];
const layout = (width: number, rotation: 0 | 90 = 0) =>
  layOutPages({ pages: 3, sizeOf: (page) => sizes[page - 1] ?? { width: 1, height: 1 }, width, rotation });

test("all pages have the same width and are placed below each other", () => {
  const { tops, heights, total } = layout(400);
  assert.deepEqual(heights, [800, 200, 400]);
  assert.deepEqual(tops, [pageGap, pageGap * 2 + 800, pageGap * 3 + 1000]);
  assert.equal(total, pageGap * 4 + 1400);
  assert.deepEqual(layout(400, 90).heights, [200, 800, 400]);
});

test("the page at an offset is found, also if the offset is in a gap or beyond the ends", () => {
  const pages = layout(400);
  assert.equal(pageAt(pages, 0), 1);
  assert.equal(pageAt(pages, pageGap + 799), 1);
  assert.equal(pageAt(pages, pageGap * 2 + 800), 2);
  assert.equal(pageAt(pages, 1e9), 3);
});

test("an anchor stays at the same place of its page when the width changes", () => {
  const before = layout(400);
  const after = layout(800);
  const middleOfSecond = (before.tops[1] ?? 0) + 100;
  assert.equal(offsetOf(after, anchorAt(before, middleOfSecond)), (after.tops[1] ?? 0) + 200);
  assert.equal(offsetOf(after, anchorAt(before, 0)), 0);
});
