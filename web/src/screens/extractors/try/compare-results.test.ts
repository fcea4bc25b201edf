import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExtractedRecord, ExtractionParam } from "@sheaf/client";
import { compareResults } from "./compare-results.ts";

const field = (
  name: string,
  format: ExtractionParam["format"] = "text",
  items?: ExtractionParam[],
): ExtractionParam => ({
  name,
  format,
  description: "",
  ...(items && { items }),
});
const fields = [
  field("number"),
  field("total", "number"),
  field("lines", "list", [field("label"), field("amount", "number")]),
];
const line = (label: string, amount: number | null) => ({ label, amount });

const compare = (before: ExtractedRecord, after: ExtractedRecord, fieldsAfter = fields) =>
  compareResults({ fields, data: [before] }, { fields: fieldsAfter, data: [after] });
const summary = (before: ExtractedRecord, after: ExtractedRecord, fieldsAfter = fields) =>
  compare(before, after, fieldsAfter).differences.map(({ kind, place }) => `${kind} ${place.join(".")}`);

test("Counts equal cells, and none that are empty in both", () => {
  const record = { number: "F-1", total: null, lines: [line("Paper", 3)] };
  assert.deepEqual(compare(record, structuredClone(record)), { differences: [], same: 3 });
});

test("Says which values were changed, found and lost", () => {
  const before = { number: "F-1", total: null, lines: [] };
  const { differences } = compare(before, { number: "F-2", total: 3, lines: [] });
  assert.deepEqual(differences, [
    { kind: "changed", place: ["number"], before: "F-1", after: "F-2" },
    { kind: "found", place: ["total"], before: null, after: 3 },
  ]);
  assert.deepEqual(summary({ number: "F-1", total: 0, lines: [] }, { number: null, total: 0, lines: [] }), [
    "lost number",
  ]);
});

test("Pairs rows that are alike when a row is added or removed before them", () => {
  const rows = [line("Paper", 3), line("Thread", 4), line("Board", 5)];
  const before = { number: "1", total: 1, lines: rows };
  assert.deepEqual(summary(before, { ...before, lines: [line("Glue", 9), ...rows] }), ["row_added lines.1"]);
  assert.deepEqual(summary(before, { ...before, lines: rows.slice(1) }), ["row_removed lines.1"]);
});

test("Pairs rows that were changed completely with those in their place", () => {
  const before = { number: "1", total: 1, lines: [line("Paper", 3), line("Thread", 4), line("Board", 5)] };
  const after = { number: "1", total: 1, lines: [line("Paper", 3), line("Wire", 8), line("Board", 6)] };
  assert.deepEqual(summary(before, after), [
    "changed lines.2.label",
    "changed lines.2.amount",
    "changed lines.3.amount",
  ]);
});

test("Says which fields were added and removed, also within rows", () => {
  const after = [field("number"), field("lines", "list", [field("label"), field("unit")]), field("date")];
  const before = { number: "1", total: 2, lines: [line("Paper", 3)] };
  assert.deepEqual(summary(before, { number: "1", date: null, lines: [{ label: "Paper", unit: "kg" }] }, after), [
    "field_added lines.1.unit",
    "field_removed lines.1.amount",
    "field_added date",
    "field_removed total",
  ]);
});

test("Compares long lists row by row in bounded time", () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => line(`Item ${index}`, index));
  const { differences, same } = compare(
    { number: "1", total: 1, lines },
    { number: "1", total: 1, lines: [...lines, line("New", 1)] },
  );
  assert.equal(same, 10_002);
  assert.deepEqual(
    differences.map(({ kind }) => kind),
    ["row_added"],
  );
});

test("Compares records of files that hold several", () => {
  const one = { number: "1", total: 1, lines: [] };
  const { differences } = compareResults({ fields, data: [one, one] }, { fields, data: [one, { ...one, total: 2 }] });
  assert.deepEqual(
    differences.map(({ place }) => place),
    [[2, "total"]],
  );
});
