import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf, listNames, sheetsOf, tableOf } from "./export-data.ts";
import type { FieldParam } from "./review-model.ts";

const field = (name: string, items?: FieldParam[]): FieldParam => ({
  name,
  format: items ? "list" : "text",
  description: "",
  ...(items && { items }),
});
const params = [field("number"), field("lines", [field("label"), field("taxes", [field("rate")])])];
const records = [
  {
    number: "F-1",
    lines: [
      { label: "Paper", taxes: [{ rate: 20 }, { rate: 5 }] },
      { label: "Ink", taxes: [{ rate: 7 }] },
    ],
  },
];

test("single fields are one table, and each list is another one", () => {
  assert.deepEqual(listNames(params), [["lines"], ["lines", "taxes"]]);
  assert.deepEqual(tableOf(params, records, []), { columns: ["number"], rows: [["F-1"]] });
  assert.deepEqual(tableOf(params, records, ["lines"]), { columns: ["label"], rows: [["Paper"], ["Ink"]] });
  assert.deepEqual(tableOf(params, records, ["lines", "taxes"]), {
    columns: ["lines", "rate"],
    rows: [
      [1, 20],
      [1, 5],
      [2, 7],
    ],
  });
});

test("a table is written as CSV", () => {
  const rows = [
    ["x,y", 1.5],
    [null, true],
  ];
  assert.equal(csvOf({ columns: ["a", "b"], rows }), '\uFEFFa,b\r\n"x,y",1.5\r\n,true\r\n');
});

test("a workbook has one sheet for single fields and one per list, and dates in it are real dates", () => {
  const due: FieldParam = { name: "due", format: "date", description: "" };
  const dated = [due, field("lines", [due, field("taxes", [due])])];
  const data = [{ due: "2026-11-24", lines: [{ due: null, taxes: [{ due: "soon" }] }] }];
  assert.deepEqual(sheetsOf(dated, data, "Fields"), [
    { name: "Fields", columns: ["due"], rows: [[new Date("2026-11-24T00:00:00Z")]] },
    { name: "lines", columns: ["due"], rows: [[null]] },
    { name: "lines.taxes", columns: ["lines", "due"], rows: [[1, "soon"]] },
  ]);
  assert.deepEqual(
    sheetsOf([field("lines", [due])], [{ lines: [] }], "Fields").map(({ name }) => name),
    ["lines"],
  );
});
