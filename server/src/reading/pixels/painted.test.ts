import assert from "node:assert/strict";
import { test } from "node:test";
import { identity } from "./gray-image.ts";
import { painted } from "./painted.ts";

const black = { width: 40, height: 30, pixels: new Uint8Array(40 * 30) };
const brightAt = ({ image }: ReturnType<typeof painted>, x: number, y: number): boolean =>
  image.pixels[y * image.width + x] === 250;

test("areas are painted with a small margin, also on images in other units and partly outside", () => {
  const area = [
    [10, 8],
    [30, 8],
    [30, 20],
    [10, 20],
  ] as const;
  const level = painted({ image: black, toPage: identity }, [area], 250);
  assert.ok(brightAt(level, 10, 8) && brightAt(level, 29, 19) && brightAt(level, 8, 6));
  assert.ok(!brightAt(level, 6, 12) && !brightAt(level, 34, 12) && !brightAt(level, 20, 4) && !brightAt(level, 20, 24));
  const halved = area.map(([x, y]) => [x / 2 + 5, y / 2 + 3] as const);
  const scaled = painted({ image: black, toPage: [0.5, 0, 0, 0.5, 5, 3] }, [halved], 250);
  assert.deepEqual(scaled.image.pixels, level.image.pixels);
  const outside = painted({ image: black, toPage: identity }, [area.map(([x, y]) => [x - 20, y + 20] as const)], 250);
  assert.ok(brightAt(outside, 0, 29) && !brightAt(outside, 20, 29) && !brightAt(outside, 39, 28));
  assert.ok(
    black.pixels.every((pixel) => pixel === 0),
    "the original is not changed",
  );
});

test("of a skewed area, only the area itself is painted", () => {
  const diamond = [
    [20, 4],
    [32, 15],
    [20, 26],
    [8, 15],
  ] as const;
  const result = painted({ image: black, toPage: identity }, [diamond], 250);
  assert.ok(brightAt(result, 20, 15) && brightAt(result, 20, 5) && brightAt(result, 9, 15));
  assert.ok(!brightAt(result, 10, 5) && !brightAt(result, 30, 25));
});
