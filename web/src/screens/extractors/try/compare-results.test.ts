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

test("equal cells are counted, except those that are empty in both results", () => {
  const record = { number: "F-1", total: null, lines: [line("Paper", 3)] };
  assert.deepEqual(compare(record, structuredClone(record)), { differences: [], same: 3 });
});

test("values are reported as changed, found or lost", () => {
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

test("if a row was added or removed, the rows after it are still paired with their equals", () => {
  const rows = [line("Paper", 3), line("Thread", 4), line("Board", 5)];
  const before = { number: "1", total: 1, lines: rows };
  assert.deepEqual(summary(before, { ...before, lines: [line("Glue", 9), ...rows] }), ["row_added lines.1"]);
  assert.deepEqual(summary(before, { ...before, lines: rows.slice(1) }), ["row_removed lines.1"]);
});

test("a row whose values all changed is paired with the row at its position", () => {
  const before = { number: "1", total: 1, lines: [line("Paper", 3), line("Thread", 4), line("Board", 5)] };
  const after = { number: "1", total: 1, lines: [line("Paper", 3), line("Wire", 8), line("Board", 6)] };
  assert.deepEqual(summary(before, after), [
    "changed lines.2.label",
    "changed lines.2.amount",
    "changed lines.3.amount",
  ]);
});

test("added and removed fields are reported, also within rows", () => {
  const after = [field("number"), field("lines", "list", [field("label"), field("unit")]), field("date")];
  const before = { number: "1", total: 2, lines: [line("Paper", 3)] };
  assert.deepEqual(summary(before, { number: "1", date: null, lines: [{ label: "Paper", unit: "kg" }] }, after), [
    "field_added lines.1.unit",
    "field_removed lines.1.amount",
    "field_added date",
    "field_removed total",
  ]);
});

test("long lists are compared by position, so the time is limited", () => {
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

test("several records of a file are compared one by one", () => {
  const one = { number: "1", total: 1, lines: [] };
  const { differences } = compareResults({ fields, data: [one, one] }, { fields, data: [one, { ...one, total: 2 }] });
  assert.deepEqual(
    differences.map(({ place }) => place),
    [[2, "total"]],
  );
});
