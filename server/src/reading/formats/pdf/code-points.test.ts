import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isSpace, textOf } from "./code-points.ts";

test("codes beyond Unicode become a replacement character", () => {
  assert.equal(textOf(0x110000), "\ufffd");
  assert.equal(textOf(0xffffffff), "\ufffd");
});

test("ligatures and presentation forms become their letters", () => {
  assert.deepEqual([0xfb03, 0xfe8d, 0x1f600].map(textOf), ["ffi", "ا", "😀"]);
});

test("soft hyphens become hyphens; control characters and zero-width marks are dropped", () => {
  assert.deepEqual([0xad, 0x00, 0x1f, 0x7f, 0x200b, 0x200e, 0x202e, 0xfeff].map(textOf), [
    "-",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
  ]);
});

test("the text of any code has no white space and no control character", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (code) => {
      if (!isSpace(code)) assert.doesNotMatch(textOf(code), /[\s\p{Cc}]/u);
    }),
    { numRuns: 5000 },
  );
});
