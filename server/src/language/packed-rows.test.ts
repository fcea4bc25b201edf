import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PackedRows, packRows } from "./packed-rows.ts";

const dimensions = 8;
const row = fc.array(fc.float({ min: -100, max: 100, noNaN: true }), { minLength: dimensions, maxLength: dimensions });
const rows = fc.array(fc.tuple(fc.nat({ max: 0xffff_ffff }), row), { maxLength: 30 });

const read = (file: PackedRows, key: number, weight = 1): Float32Array => {
  const into = new Float32Array(dimensions);
  file.add(key, weight, into);
  return into;
};

test("every row is found by its key, with an error of half a step at most", () => {
  fc.assert(
    fc.property(rows, (entries) => {
      const packed = new Map(entries.map(([key, values]) => [key, Float32Array.from(values)]));
      const file = new PackedRows(packRows(packed, dimensions), dimensions);
      for (const [key, values] of packed) {
        const greatest = Math.max(...values.map(Math.abs));
        const errors = read(file, key).map((value, d) => Math.abs(value - (values[d] ?? 0)));
        const squared = errors.reduce((sum, error) => sum + error ** 2, 0);
        assert.ok(squared <= dimensions * (greatest / 3 / 2) ** 2 + 1e-3, `${[...errors]} of ${greatest}`);
      }
    }),
  );
});

test("a key without a row adds nothing, and a weight multiplies the row", () => {
  const file = new PackedRows(
    packRows(new Map([[7, Float32Array.of(3, -3, 2, 0, 0, 1, 2, -1)]]), dimensions),
    dimensions,
  );
  assert.deepEqual(read(file, 7), Float32Array.of(3, -3, 2, 0, 0, 1, 2, -1));
  assert.deepEqual(read(file, 7, -2), Float32Array.of(-6, 6, -4, 0, 0, -2, -4, 2));
  for (const key of [0, 6, 8, 0xffff_ffff]) assert.deepEqual(read(file, key), new Float32Array(dimensions));
});
