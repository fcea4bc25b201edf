import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutFrame } from "./frame.ts";
import { type GrayImage, identity } from "./gray-image.ts";

/** Makes an image of white paper, 200 by 160 pixels, with `dark` areas [x0, y0, x1, y1]. */
function paper(...dark: [number, number, number, number][]): GrayImage {
  const pixels = new Uint8Array(200 * 160).fill(230);
  for (const [x0, y0, x1, y1] of dark) for (let y = y0; y < y1; y++) pixels.fill(20, y * 200 + x0, y * 200 + x1);
  return { width: 200, height: 160, pixels };
}

const clean = (image: GrayImage): GrayImage => withoutFrame({ image, toPage: identity }).image;
const darkPixels = ({ pixels }: GrayImage): number => pixels.filter((pixel) => pixel < 100).length;

test("a frame is painted over, and content on the paper is kept", () => {
  const image = clean(paper([0, 0, 30, 160], [0, 150, 200, 160], [80, 60, 120, 70]));
  assert.equal(darkPixels(image), 40 * 10);
});

test("a dark area that does not touch the edge is not a frame", () => {
  const image = paper([20, 20, 180, 140]);
  assert.equal(clean(image), image);
});

test("a dark band around white letters is kept", () => {
  const image = paper([0, 0, 200, 24]);
  for (let x = 10; x < 190; x += 6) for (let y = 8; y < 16; y++) image.pixels[y * 200 + x] = 240;
  const letters = clean(image).pixels.subarray(9 * 200, 15 * 200);
  assert.ok(letters.filter((pixel) => pixel < 100).length > letters.length / 2);
});
