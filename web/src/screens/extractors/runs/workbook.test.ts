import assert from "node:assert/strict";
import { test } from "node:test";
import { read, utils } from "@e965/xlsx";
import type { ExtractionParam } from "@sheaf/client";
import { workbookOf } from "../../../ui/workbook.ts";
import { csvOf } from "./csv.ts";
import { type ExportedResult, tablesOf } from "./tables.ts";

const field = (name: string, format: ExtractionParam["format"], items?: ExtractionParam[]): ExtractionParam => ({
  name,
  format,
  description: "",
  ...(items && { items }),
});
const titles = { documents: "Documents", number: "No.", file: "File", date: "Read on", row: "Row" };
const fields = [
  field("number", "text"),
  field("total", "number"),
  field("paid", "boolean"),
  field("due", "date"),
  field("lines", "list", [field("label", "text"), field("taxes", "list", [field("rate", "number")])]),
];
const results: ExportedResult[] = [
  {
    filename: "a.pdf",
    createdAt: "2026-11-24T12:00:00.000Z",
    fields,
    data: [
      {
        number: "007",
        total: 12.5,
        paid: true,
        due: "2026-12-01",
        lines: [
          { label: '=HYPERLINK("x") & <b>', taxes: [{ rate: 7 }, { rate: 19 }] },
          { label: 'Größe, 2 "m"\nlang\u0001', taxes: [] },
        ],
      },
    ],
  },
  {
    filename: "b.pdf",
    createdAt: "2026-11-24T12:00:00.000Z",
    fields: [field("extra", "text")],
    data: [{ extra: null }],
  },
];

test("there is one table of single values and one per list, with the columns of all results", () => {
  const [documents, lines, taxes, ...others] = tablesOf(results, titles);
  assert.deepEqual(others, []);
  assert.deepEqual(documents?.columns, ["No.", "File", "Read on", "number", "total", "paid", "due", "extra"]);
  assert.deepEqual(documents?.rows[1]?.slice(3), [null, null, null, null, null]);
  assert.deepEqual(lines?.columns, ["No.", "File", "Row", "label"]);
  assert.deepEqual(taxes, {
    name: "lines.taxes",
    columns: ["No.", "File", "Row", "Row (lines.taxes)", "rate"],
    rows: [
      [1, "a.pdf", 1, 1, 7],
      [1, "a.pdf", 1, 2, 19],
    ],
  });
});

test("the cells of a workbook have the types of their values", async () => {
  const bytes = await (await workbookOf(tablesOf(results, titles))).arrayBuffer();
  const workbook = read(bytes, { cellDates: true, cellNF: true });
  assert.deepEqual(workbook.SheetNames, ["Documents", "lines", "lines.taxes"]);
  const sheet = workbook.Sheets.Documents ?? {};
  assert.deepEqual([sheet.D2?.t, sheet.D2?.v], ["s", "007"]);
  assert.deepEqual([sheet.E2?.t, sheet.E2?.v], ["n", 12.5]);
  assert.deepEqual([sheet.F2?.t, sheet.F2?.v], ["b", true]);
  assert.equal(sheet.G2?.t, "d");
  const plain = read(bytes).Sheets.Documents ?? {};
  assert.equal(plain.C2?.v, 46350.5);
  const rows = utils.sheet_to_json<Record<string, unknown>>(workbook.Sheets.lines ?? {});
  assert.deepEqual(
    rows.map(({ label }) => label),
    ['=HYPERLINK("x") & <b>', 'Größe, 2 "m"\nlang'],
  );
  assert.equal(workbook.Sheets.lines?.D2?.f, undefined);
});

test("sheet names are changed to names that Excel accepts", async () => {
  const names = ["a/b", "A B", "x".repeat(40), "x".repeat(41), "'"];
  const blob = await workbookOf(names.map((name) => ({ name, columns: ["c"], rows: [] })));
  const sheets = read(await blob.arrayBuffer()).SheetNames;
  assert.deepEqual(sheets, ["a b", "A B 2", "x".repeat(31), `${"x".repeat(27)} 2`, "Sheet"]);
});

test("CSV can be read by spreadsheets and by programs", () => {
  const [, lines] = tablesOf(results, titles);
  assert.equal(
    csvOf(lines ?? { name: "", columns: [], rows: [] }),
    '\uFEFFNo.,File,Row,label\r\n1,a.pdf,1,"\'=HYPERLINK(""x"") & <b>"\r\n1,a.pdf,2,"Größe, 2 ""m""\nlang\u0001"\r\n',
  );
  assert.equal(csvOf({ name: "", columns: ["a"], rows: [[-3], [null], [true]] }), "\uFEFFa\r\n-3\r\n\r\ntrue\r\n");
});
