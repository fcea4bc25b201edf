import assert from "node:assert/strict";
import { test } from "node:test";
import { csvCell, csvLine } from "./csv.ts";

test("cells that a spreadsheet would run as formulas are escaped", () => {
  for (const formula of ["=1+1", "+1", "-cmd", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "＝1", "＋1", "－a", "＠a"]) {
    const cell = csvCell(formula);
    assert.ok(cell.startsWith(`"'`), JSON.stringify(cell));
    assert.equal(cell, `"'${formula}"`);
  }
  assert.equal(csvCell('=HYPERLINK("http://x")'), `"'=HYPERLINK(""http://x"")"`);
});

test("numbers and ordinary text are not changed", () => {
  for (const [value, cell] of [
    [-1.5, "-1.5"],
    ["-12", "-12"],
    [null, ""],
    ["Ada", "Ada"],
    ["a-b@example.com", "a-b@example.com"],
  ] as const)
    assert.equal(csvCell(value), cell);
});

test("separators, quotes and line breaks stay within their cell", () => {
  assert.equal(csvLine(["a,b", 'say "hi"', "two\nlines", "d;e"]), '"a,b","say ""hi""","two\nlines","d;e"\r\n');
});
