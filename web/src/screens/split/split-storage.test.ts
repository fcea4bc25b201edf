import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  addRecent,
  keepSegments,
  type RecentSplit,
  readClasses,
  readRecent,
  removeRecent,
  writeClasses,
} from "./split-storage.ts";

let stored = new Map<string, string>();
beforeEach(() => {
  stored = new Map();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
});

const dayMs = 86_400_000;
const recent = (id: string, ageDays = 0): RecentSplit => ({
  id,
  name: `${id}.pdf`,
  startedAt: new Date(Date.now() - ageDays * dayMs).toISOString(),
});
const idsOf = (owner: string) => readRecent(owner).map(({ id }) => id);

test("each user of a browser sees only their own entries", () => {
  addRecent("ada", recent("a"));
  writeClasses("ada", [{ label: "invoice", description: "" }]);
  assert.deepEqual([idsOf("ada"), idsOf("grace")], [["a"], []]);
  assert.deepEqual([readClasses("ada").length, readClasses("grace").length], [1, 0]);
});

test("the newest entry comes first, and results that the service no longer keeps are left out", () => {
  for (const each of [recent("old", 8), recent("a", 6), recent("b")]) addRecent("ada", each);
  assert.deepEqual(idsOf("ada"), ["b", "a"]);
  for (let count = 0; count < 30; count++) addRecent("ada", recent(`n${count}`));
  assert.equal(idsOf("ada").length, 20);
  removeRecent("ada", "n29");
  assert.equal(idsOf("ada")[0], "n28");
});

test("corrections are stored with their classification, even if it was opened by a link", () => {
  const segments = [{ start: 1, end: 2, label: "a", title: "", confidence: null }];
  addRecent("ada", recent("a", 3));
  keepSegments("ada", { ...recent("a"), segments });
  keepSegments("ada", { ...recent("b"), segments });
  assert.deepEqual(
    readRecent("ada").map((each) => [each.id, each.segments]),
    [
      ["b", segments],
      ["a", segments],
    ],
  );
  // An entry expires a fixed time after the classification was started, not after its correction.
  assert.ok(Date.now() - Date.parse(readRecent("ada")[1]?.startedAt ?? "") > 2 * dayMs);
});

test("entries in an unknown format are ignored, and a browser that refuses to store anything causes no error", () => {
  stored.set("sheaf.split.recent.ada", '[{"id":1},{"id":"a","name":"a","startedAt":"x","segments":[{"start":"1"}]}]');
  stored.set("sheaf.split.classes.ada", "{");
  assert.deepEqual([readRecent("ada"), readClasses("ada")], [[], []]);
  Object.defineProperty(globalThis, "localStorage", {
    get: () => {
      throw new Error("denied");
    },
    configurable: true,
  });
  addRecent("ada", recent("a"));
  assert.deepEqual(readRecent("ada"), []);
});
