import assert from "node:assert/strict";
import test from "node:test";
import { changedConsignes, instructionText } from "./consignes.ts";

const before = ["Answer briefly.", { content: "Cite the article.", id: 7 }, "Two\nlines"];

test("instructions are shown one per line", () => {
  assert.equal(instructionText(before), "Answer briefly.\nCite the article.\nTwo lines");
});

test("instructions that were not edited keep their form and their other members", () => {
  assert.deepEqual(changedConsignes(before, instructionText(before)), before);
  assert.deepEqual(changedConsignes(before, "Cite the article.\n\n  New one. "), [before[1], "New one."]);
});
