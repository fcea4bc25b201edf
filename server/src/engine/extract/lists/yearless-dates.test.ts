import assert from "node:assert/strict";
import test from "node:test";
import { documentOf } from "../../testing/document-builder.ts";
import { field, listOf } from "../../testing/list-params.ts";
import { extractBuiltin } from "../extract-fields.ts";

const days = listOf(field("date", "date"), field("service", "text"), field("amount", "number"));

function datesOf(heading: string, dates: readonly string[]): unknown[] {
  const rows = dates.map((date, at) => [date, `Visit ${"abc".charAt(at)}`, `${at + 1}2.50`]);
  const document = documentOf([[heading, ""], ["Date", "Service", "Amount"], ...rows]);
  const { list } = extractBuiltin({ document, params: [days] }).data;
  return Array.isArray(list) ? list.map((row) => row.date) : [];
}

test("a date without a year gets the year of the document's other dates", () => {
  assert.deepEqual(datesOf("Issued 2025-06-30", ["14.05.", "16.05."]), ["2025-05-14", "2025-05-16"]);
  assert.deepEqual(datesOf("Issued 2025-06-30", ["Mon 14/05", "Wed 16/05"]), ["2025-05-14", "2025-05-16"]);
  assert.deepEqual(datesOf("Issued 2025-06-30", ["3 May", "4 May"]), ["2025-05-03", "2025-05-04"]);
});

test("a date without a year stays empty if the document has no date", () => {
  assert.deepEqual(datesOf("Statement", ["14/05", "16/05", "17/05"]).filter(Boolean), []);
});
