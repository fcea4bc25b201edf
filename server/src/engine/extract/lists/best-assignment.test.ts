import assert from "node:assert/strict";
import test from "node:test";
import { bestAssignment } from "./best-assignment.ts";

test("a column is assigned once, to the row that gains most by it", () => {
  assert.deepEqual(
    bestAssignment([
      [3, 2.9],
      [3, 0.1],
    ]),
    [1, 0],
  );
});

test("of nearly equal assignments the one in printed order is taken", () => {
  assert.deepEqual(
    bestAssignment([
      [2, 2.1],
      [2.1, 2],
    ]),
    [0, 1],
  );
});

test("a row without a positive score stays without a column", () => {
  assert.deepEqual(
    bestAssignment([
      [-1, -0.5],
      [1, 0.5],
    ]),
    [-1, 0],
  );
});
