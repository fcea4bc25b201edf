import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { meaningDimensions as dimensions } from "./meaning-features.ts";
import { productsByLoop, productsBySimd } from "./row-products.ts";

const numbers = (count: number): fc.Arbitrary<Float32Array> =>
  fc.float32Array({ minLength: count, maxLength: count, noNaN: true, noDefaultInfinity: true });

test("SIMD gives the same bits as the loop, for any number of rows and any vectors", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9 }).chain((rows) => fc.tuple(numbers(rows * dimensions), numbers(dimensions))),
      ([rows, vector]) => {
        const bits = (products: Float64Array): BigUint64Array => new BigUint64Array(products.slice().buffer);
        assert.deepEqual(bits(productsBySimd(rows)(vector)), bits(productsByLoop(rows)(vector)));
      },
    ),
  );
});

test("each product is of its own row, also of a second vector", () => {
  const rows = new Float32Array(6 * dimensions);
  for (let row = 0; row < 6; row++) rows[row * dimensions + row] = row + 1;
  const products = productsBySimd(rows);
  assert.deepEqual([...products(new Float32Array(dimensions).fill(1))], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...products(new Float32Array(dimensions).fill(-2))], [-2, -4, -6, -8, -10, -12]);
});
