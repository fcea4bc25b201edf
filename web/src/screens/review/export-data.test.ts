import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf, listNames, tableOf } from "./export-data.ts";
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

test("fields and each list are a table of their own", () => {
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

test("CSV follows the language of the spreadsheet", () => {
  const table = {
    columns: ["a", "b"],
    rows: [
      ["x;y", 1.5],
      [null, true],
    ] as (string | number | boolean | null)[][],
  };
  assert.equal(csvOf(table, "en"), 'a,b\r\n"x;y",1.5\r\n,true\r\n');
  assert.equal(csvOf(table, "de"), 'a;b\r\n"x;y";1,5\r\n;true\r\n');
});

test("texts are quoted, and cannot be formulas", () => {
  const csv = csvOf({ columns: ["a"], rows: [['say "hi"\nthere'], ["=HYPERLINK(1)"], [-5], ["@x"]] }, "en");
  assert.equal(csv, 'a\r\n"say ""hi""\nthere"\r\n\'=HYPERLINK(1)\r\n-5\r\n\'@x\r\n');
});
