import assert from "node:assert/strict";
import test from "node:test";
import { documentOf } from "../../testing/document-builder.ts";
import { extractBuiltin } from "../extract-fields.ts";

const quarters = documentOf([
  ["Region", "Q1", "Q2", "Q3"],
  ["North", "120", "130", "90"],
  ["South", "80", "85", "70"],
  ["West", "20", "35", "40"],
]);

const rowsFor = (descriptions: readonly string[]): unknown[][] => {
  const items = descriptions.map((description, at) => ({
    name: `c${at}`,
    format: description === "Region" ? ("text" as const) : ("number" as const),
    description,
  }));
  const { data } = extractBuiltin({
    document: quarters,
    params: [{ name: "sales", format: "list", description: "sales by region", items }],
  });
  return Array.isArray(data.sales) ? data.sales.map((row) => items.map(({ name }) => row[name])) : [];
};

test("columns whose descriptions equal the headings are not swapped", () => {
  assert.deepEqual(rowsFor(["Region", "Q1", "Q2", "Q3"])[0], ["North", 120, 130, 90]);
});

test("rows keep their order, and none is lost", () => {
  assert.deepEqual(
    rowsFor(["Region", "Q1", "Q2", "Q3"]).map(([region]) => region),
    ["North", "South", "West"],
  );
});
