import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  cut,
  type GrayImage,
  identity,
  moved,
  type PlacedImage,
  pgmOf,
  rotatedByQuarters,
  scaled,
  skewedBy,
} from "./gray-image.ts";

const place = (image: GrayImage): PlacedImage => ({ image, toPage: identity });

/** An image that is white except for one black pixel. */
function dot(width: number, height: number, x: number, y: number): PlacedImage {
  const pixels = new Uint8Array(width * height).fill(255);
  pixels[y * width + x] = 0;
  return place({ width, height, pixels });
}

/** Returns the position on the page of the middle of the darkest pixel. */
function darkest({ image, toPage }: PlacedImage): [number, number] {
  const at = image.pixels.indexOf(Math.min(...image.pixels));
  return moved(toPage, (at % image.width) + 0.5, Math.trunc(at / image.width) + 0.5);
}

test("a dot keeps its position on the page after every operation", () => {
  const sizes = fc.record({ width: fc.integer({ min: 12, max: 60 }), height: fc.integer({ min: 12, max: 60 }) });
  const steps = fc.array(
    fc.constantFrom<(placed: PlacedImage) => PlacedImage>(
      (placed) => rotatedByQuarters(placed, 1),
      (placed) => rotatedByQuarters(placed, 2),
      (placed) => rotatedByQuarters(placed, 3),
      (placed) => cut(placed, 1, 1, placed.image.width - 1, placed.image.height - 1),
      (placed) => skewedBy(placed, 0.05, 255),
      (placed) => skewedBy(placed, -0.1, 255),
      (placed) => scaled(placed, 2),
    ),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(sizes, fc.double({ min: 0.3, max: 0.7, noNaN: true }), steps, ({ width, height }, part, doing) => {
      const [x, y] = [Math.floor(width * part), Math.floor(height * part)];
      const [foundX, foundY] = darkest(doing.reduce((placed, step) => step(placed), dot(width, height, x, y)));
      assert.ok(Math.hypot(foundX - x - 0.5, foundY - y - 0.5) <= 1.6);
    }),
  );
});

test("four quarter turns give the original image", () => {
  const pixels = Uint8Array.from({ length: 6 }, (_, index) => index);
  const turned = [1, 1, 1, 1].reduce((placed) => rotatedByQuarters(placed, 1), place({ width: 3, height: 2, pixels }));
  assert.deepEqual(turned.image, { width: 3, height: 2, pixels });
  assert.deepEqual(moved(turned.toPage, 5, 7), [5, 7]);
  assert.deepEqual([...rotatedByQuarters(place({ width: 3, height: 2, pixels }), 1).image.pixels], [3, 0, 4, 1, 5, 2]);
});

test("scaling keeps the gray of a uniform image, and the mean brightness of other images", () => {
  const even = place({ width: 31, height: 17, pixels: new Uint8Array(31 * 17).fill(130) });
  for (const factor of [0.2, 0.5, 1, 1.7, 3]) {
    assert.deepEqual(new Set(scaled(even, factor).image.pixels), new Set([130]));
  }
  const checks = Uint8Array.from({ length: 64 * 64 }, (_, at) => ((at + Math.trunc(at / 64)) % 2 ? 255 : 0));
  const { pixels } = scaled(place({ width: 64, height: 64, pixels: checks }), 0.25).image;
  assert.ok(pixels.every((pixel) => Math.abs(pixel - 127.5) < 12));
});

test("a PGM file consists of a header and the pixels", () => {
  const file = pgmOf({ width: 2, height: 1, pixels: Uint8Array.of(7, 8) });
  assert.equal(Buffer.from(file).toString("latin1"), "P5\n2 1\n255\n\x07\x08");
});
