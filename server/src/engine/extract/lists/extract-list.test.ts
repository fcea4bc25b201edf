import assert from "node:assert/strict";
import test from "node:test";
import type { Document } from "../../../reading/document.ts";
import type { Value } from "../../engine.ts";
import { type PlacedText, pageOf } from "../../testing/document-builder.ts";
import { field, lines, listOf } from "../../testing/list-params.ts";
import { extractBuiltin } from "../extract-fields.ts";

/** Returns the given rows of cells. The cells begin at `edges`, and rows are 18 points apart. */
function rowsAt(edges: readonly number[], rows: readonly (readonly string[])[], top = 100): PlacedText[] {
  return rows.flatMap((cells, row) =>
    cells.map((text, at) => ({ text, x: edges[at] ?? 0, y: top + row * 18 })).filter((cell) => cell.text),
  );
}

const documentOfPages = (...pages: PlacedText[][]): Document => ({
  mime: "application/pdf",
  metadata: {},
  pages: pages.map((texts, at) => pageOf(texts, at + 1)),
});
const listIn = (document: Document, param = lines): Value | undefined =>
  extractBuiltin({ document, params: [param] }).data.list;

const edges = [40, 300, 380, 480];
const head = ["Description", "Qty", "Unit price", "Amount"];

test("a list ends at its total, even if the total row has a sum of quantities", () => {
  const rows = [
    head,
    ["Desk lamp", "2", "15.00", "30.00"],
    ["Chair", "1", "80.00", "80.00"],
    ["Total", "3", "", "110.00"],
    ["Shipping", "1", "5.00", "5.00"],
  ];
  assert.deepEqual(listIn(documentOfPages(rowsAt(edges, rows))), [
    { description: "Desk lamp", quantity: 2, "unit price": 15, total: 30 },
    { description: "Chair", quantity: 1, "unit price": 80, total: 80 },
  ]);
});

test("a list continues on later pages, with or without a repeated header", () => {
  const first = rowsAt(edges, [head, ["Desk lamp", "2", "15.00", "30.00"]]);
  const bare = rowsAt(edges, [["Chair", "1", "80.00", "80.00"]], 40);
  const repeated = rowsAt(edges, [head, ["Table", "1", "200.00", "200.00"], ["Grand total", "", "", "310.00"]], 40);
  const value = listIn(documentOfPages(first, bare, repeated));
  assert.deepEqual(Array.isArray(value) && value.map((item) => item.description), ["Desk lamp", "Chair", "Table"]);
});

test("discounts between rows are not list items, and notes are not part of a description", () => {
  const rows = [
    head,
    ["Desk lamp", "2", "15.00", "30.00"],
    ["Color: red"],
    ["Discount", "", "", "-3.00"],
    ["Chair", "1", "80.00", "80.00"],
  ];
  const value = listIn(documentOfPages(rowsAt(edges, rows)));
  assert.deepEqual(Array.isArray(value) && value.map((item) => [item.description, item.total]), [
    ["Desk lamp", 30],
    ["Chair", 80],
  ]);
});

test("a column with a vague header is the quantity if quantity times price equals the total", () => {
  const rows = [
    ["Artikel", "x", "Einzelpreis", "Gesamt"],
    ["Lampe", "3", "10,00", "30,00"],
    ["Stuhl", "2", "40,50", "81,00"],
  ];
  const value = listIn(documentOfPages(rowsAt(edges, rows)));
  assert.deepEqual(Array.isArray(value) && value.map((item) => item.quantity), [3, 2]);
});

test("any list with headers is read, not only invoice lines", () => {
  const rows = [
    ["Station", "Arrival", "Passengers"],
    ["Harburg", "2026-05-01", "12"],
    ["Altona", "2026-05-02", "7"],
  ];
  const stops = listOf(field("station", "text"), field("arrival", "date"), field("passengers", "number"));
  assert.deepEqual(listIn(documentOfPages(rowsAt([40, 200, 380], rows)), stops), [
    { station: "Harburg", arrival: "2026-05-01", passengers: 12 },
    { station: "Altona", arrival: "2026-05-02", passengers: 7 },
  ]);
});

test("a page without the requested list returns an empty list", () => {
  assert.deepEqual(
    listIn(
      documentOfPages(
        rowsAt(
          [40, 300],
          [
            ["Dear Sir", ""],
            ["Total:", "12.00"],
            ["Quantity", "Total"],
          ],
        ),
      ),
    ),
    [],
  );
});
