import assert from "node:assert/strict";
import { test } from "node:test";
import { clampZoom, maxZoom, minZoom, nextZoom } from "./zoom.ts";

test("zooming goes to the next step in either direction, and stops at the smallest and largest", () => {
  assert.equal(nextZoom(1, 1), 1.25);
  assert.equal(nextZoom(1, -1), 0.75);
  assert.equal(nextZoom(1.1, 1), 1.25);
  assert.equal(nextZoom(1.1, -1), 1);
  assert.equal(nextZoom(maxZoom, 1), maxZoom);
  assert.equal(nextZoom(minZoom, -1), minZoom);
  assert.equal(clampZoom(100), maxZoom);
});
