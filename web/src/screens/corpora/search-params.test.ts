import assert from "node:assert/strict";
import test from "node:test";
import { documentSearch, documentsSearch } from "./search-params.ts";

test("folder names that look like numbers stay text", () => {
  assert.deepEqual(documentsSearch({ folder: 2026, name: 7, state: "error" }), {
    folder: "2026",
    name: "7",
    state: "error",
  });
});

test("unknown and invalid parameters are dropped", () => {
  assert.deepEqual(documentsSearch({ folder: "", state: "gone", other: 1, name: {} }), {});
  assert.deepEqual(documentSearch({ page: 0, turn: "1", citation: -1, thread: 5 }), {});
  assert.deepEqual(documentSearch({ page: 3, thread: "t", turn: 1, citation: 2 }), {
    page: 3,
    thread: "t",
    turn: 1,
    citation: 2,
  });
});
