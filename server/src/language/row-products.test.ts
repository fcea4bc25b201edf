import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { meaningDimensions as dimensions } from "./meaning-features.ts";
import { productsByLoop, productsBySimd } from "./row-products.ts";

const integers = (count: number, bits: number): fc.Arbitrary<number[]> => {
  const limit = 2 ** (bits - 1);
  return fc.array(fc.integer({ min: 1 - limit, max: limit - 1 }), { minLength: count, maxLength: count });
};

test("SIMD gives the same sums as the loop, for any number of rows and any vectors", () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 0, max: 9 })
        .chain((rows) => fc.tuple(integers(rows * dimensions, 8), integers(dimensions, 16))),
      ([rows, numbers]) => {
        const [all, vector] = [Int8Array.from(rows), Int16Array.from(numbers)];
        assert.deepEqual([...productsBySimd(all)(vector)], [...productsByLoop(all)(vector)]);
      },
    ),
  );
});

test("the greatest entries do not overflow a sum", () => {
  const rows = new Int8Array(dimensions).fill(127);
  const vector = new Int16Array(dimensions).fill(-32_767);
  assert.deepEqual([...productsBySimd(rows)(vector)], [dimensions * 127 * -32_767]);
});

test("each product is that of its own row, also for a second vector", () => {
  const rows = new Int8Array(6 * dimensions);
  for (let row = 0; row < 6; row++) rows[row * dimensions + row] = row + 1;
  const products = productsBySimd(rows);
  assert.deepEqual([...products(new Int16Array(dimensions).fill(1))], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...products(new Int16Array(dimensions).fill(-2))], [-2, -4, -6, -8, -10, -12]);
});
