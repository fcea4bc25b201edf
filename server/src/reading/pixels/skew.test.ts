import assert from "node:assert/strict";
import { test } from "node:test";
import { grayOf, pictureOf, receiptPdf } from "../testing/page-pictures.ts";
import { skewOf } from "./skew.ts";

const picture = await pictureOf(receiptPdf());

for (const degrees of [-7, -2, 0, 1.5, 4, 9]) {
  test(`a skew angle of ${degrees} degrees is measured`, async () => {
    const image = await grayOf(picture.clone().rotate(degrees, { background: "white" }));
    assert.ok(Math.abs((skewOf(image) * 180) / Math.PI - degrees) <= 0.25);
  });
}

test("an image without lines has no skew", () => {
  assert.equal(skewOf({ width: 50, height: 40, pixels: new Uint8Array(2000).fill(255) }), 0);
  assert.equal(skewOf({ width: 1, height: 1, pixels: new Uint8Array(1) }), 0);
});
