import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentMap } from "./recent-map.ts";

test("the least recently used entry is removed", () => {
  const map = new RecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  assert.equal(map.get("a"), 1);
  map.set("c", 3);
  assert.equal(map.get("b"), undefined);
  assert.equal(map.get("a"), 1);
  assert.equal(map.get("c"), 3);
});

test("an entry that is set again is replaced and counts as used", () => {
  const map = new RecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  assert.equal(map.get("a"), 3);
  assert.equal(map.get("b"), undefined);
});
