import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Box,
  boundsOf,
  boxAt,
  boxBetween,
  linesOf,
  percentages,
  type Rotation,
  rotatedShares,
  uprightShares,
  wordsInside,
} from "./geometry.ts";

test("boxes become percentages of their page", () => {
  assert.deepEqual(percentages([10, 20, 30, 60], { width: 100, height: 200 }), {
    left: "10.0000%",
    top: "10.0000%",
    width: "20.0000%",
    height: "20.0000%",
  });
});

test("the smallest box that contains a point is chosen, or else a box near the point", () => {
  const boxes: Box[] = [
    [0, 0, 100, 100],
    [10, 10, 20, 20],
    [110, 0, 120, 10],
  ];
  assert.equal(boxAt(boxes, { x: 15, y: 15 }), 1);
  assert.equal(boxAt(boxes, { x: 50, y: 50 }), 0);
  assert.equal(boxAt(boxes, { x: 105, y: 5 }), undefined);
  assert.equal(boxAt(boxes, { x: 107, y: 5 }, 4), 2);
  assert.equal(boxAt(boxes, { x: 99, y: 5 }, 20), 0);
});

test("a word is inside a box if its centre is", () => {
  const words: Box[] = [
    [0, 0, 10, 10],
    [8, 0, 20, 10],
    [30, 0, 40, 10],
  ];
  assert.deepEqual(wordsInside(words, [4, 0, 15, 10]), [0, 1]);
  assert.deepEqual(wordsInside(words, [21, 0, 29, 10]), []);
});

test("a box drawn in any direction has its corners in order, and is clipped to the page", () => {
  assert.deepEqual(boxBetween({ x: 90, y: 80 }, { x: -5, y: 120 }, { width: 100, height: 100 }), [0, 80, 90, 100]);
});

test("the bounds of several boxes surround all of them", () => {
  assert.equal(boundsOf([]), undefined);
  assert.deepEqual(
    boundsOf([
      [5, 5, 10, 10],
      [1, 7, 6, 20],
    ]),
    [1, 5, 10, 20],
  );
});

test("positions are converted from the upright page to each rotated view, and back", () => {
  const topLeft = { x: 0, y: 0 };
  assert.deepEqual(rotatedShares(topLeft, 90), { x: 1, y: 0 });
  assert.deepEqual(rotatedShares(topLeft, 180), { x: 1, y: 1 });
  assert.deepEqual(rotatedShares(topLeft, 270), { x: 0, y: 1 });
  for (const rotation of [0, 90, 180, 270] satisfies Rotation[]) {
    const { x, y } = uprightShares(rotatedShares({ x: 0.25, y: 0.125 }, rotation), rotation);
    assert.deepEqual({ x, y }, { x: 0.25, y: 0.125 });
  }
});

test("every word is in exactly one line", () => {
  assert.deepEqual(linesOf([], 3), [[0, 3]]);
  assert.deepEqual(
    linesOf(
      [
        [3, 5],
        [0, 2],
      ],
      6,
    ),
    [
      [0, 2],
      [2, 3],
      [3, 5],
      [5, 6],
    ],
  );
  assert.deepEqual(linesOf([[0, 4]], 4), [[0, 4]]);
});
