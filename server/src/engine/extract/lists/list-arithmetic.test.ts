import assert from "node:assert/strict";
import test from "node:test";
import type { Table } from "../../../reading/document.ts";
import type { Value } from "../../engine.ts";
import { type PlacedText, pageOf } from "../../testing/document-builder.ts";
import { field, lines, listOf } from "../../testing/list-params.ts";
import { extractBuiltin } from "../extract-fields.ts";

const rowsAt = (edges: readonly number[], rows: readonly (readonly string[])[], lineHeight = 14): PlacedText[] =>
  rows.flatMap((cells, row) =>
    cells
      .map((text, at) => ({ text, x: edges[at] ?? 0, y: 100 + row * lineHeight }))
      .filter((cell) => cell.text !== ""),
  );

function listIn(texts: PlacedText[], param = lines, tables: (page: ReturnType<typeof pageOf>) => Table[] = () => []) {
  const page = pageOf(texts);
  const document = { mime: "application/pdf", metadata: {}, pages: [{ ...page, tables: tables(page) }] };
  return extractBuiltin({ document, params: [param] }).data.list;
}
const rowsOf = (value: Value | undefined): unknown[][] =>
  Array.isArray(value) ? value.map((item) => (typeof item === "object" && item ? Object.values(item) : [item])) : [];

test("ambiguous headers are resolved by quantity times price, and prices are recognized by their cents", () => {
  const rows = [
    ["No.", "Description", "Qty Ord", "Unit Cost", "Extended"],
    ["1", "Guide pin, ground", "150", "$4.26", "$639.00"],
    ["2", "Die insert", "12", "$318.75", "$3,825.00"],
    ["", "", "", "Order subtotal:", "$4,464.00"],
  ];
  assert.deepEqual(rowsOf(listIn(rowsAt([40, 80, 260, 340, 440], rows))), [
    ["Guide pin, ground", 150, 4.26, 639],
    ["Die insert", 12, 318.75, 3825],
  ]);
});

test("quantity times price may equal the total only after the row's discount", () => {
  const rows = [
    ["Leistung", "Einsatz", "Satz", "Rabatt", "Betrag"],
    ["Beratung", "8", "100,00", "10 %", "720,00"],
    ["Planung", "6", "90,00", "10 %", "486,00"],
  ];
  assert.deepEqual(rowsOf(listIn(rowsAt([40, 260, 330, 420, 500], rows))), [
    ["Beratung", 8, 100, 720],
    ["Planung", 6, 90, 486],
  ]);
});

test("the only text column is the description, whatever its heading", () => {
  const rows = [
    ["Pos", "Zzyzx", "Anzahl", "Ansatz", "Total"],
    ["10", "Montage vor Ort", "14", "98.00", "1372.00"],
    ["20", "Entsorgung", "2", "120.00", "240.00"],
  ];
  assert.deepEqual(
    rowsOf(listIn(rowsAt([40, 80, 300, 380, 480], rows))).map((row) => row[0]),
    ["Montage vor Ort", "Entsorgung"],
  );
});

test("group sums and totals are not list items, whatever their label", () => {
  const rows = [
    ["Description", "Qty", "Unit price", "Amount"],
    ["Rake", "2", "15.00", "30.00"],
    ["Hose", "1", "20.00", "20.00"],
    ["Garden", "", "", "50.00"],
    ["Lamp", "3", "10.00", "30.00"],
    ["Discount", "", "", "-5.00"],
    ["Positions", "", "", "75.00"],
  ];
  assert.deepEqual(
    rowsOf(listIn(rowsAt([40, 300, 380, 480], rows))).map((row) => row[0]),
    ["Rake", "Hose", "Lamp"],
  );
});

test("the bold heading of a group is not part of the item above", () => {
  const rows = [
    ["Description", "Qty", "Unit price", "Amount"],
    ["Rake", "2", "15.00", "30.00"],
    ["House and kitchen"],
    ["Lamp", "3", "10.00", "30.00"],
  ];
  const texts = rowsAt([40, 300, 380, 480], rows).map((placed) =>
    placed.text.startsWith("House") ? { ...placed, bold: true as const } : placed,
  );
  assert.deepEqual(
    rowsOf(listIn(texts)).map((row) => row[0]),
    ["Rake", "Lamp"],
  );
});

test("an item whose description contains the word 'report' is not taken for a carried sum", () => {
  const rows = [
    ["Description", "Qty", "Unit price", "Amount"],
    ["Inspection with report", "1", "330.00", "330.00"],
    ["Treatment", "2", "275.00", "550.00"],
  ];
  assert.equal(rowsOf(listIn(rowsAt([40, 300, 380, 480], rows))).length, 2);
});

test("a quantity printed in the unit column is found", () => {
  const rows = [
    ["Bezeichnung", "Menge", "ME", "Preis", "Betrag"],
    ["Rotkohl", "", "12 Do", "7,10", "85,20"],
    ["Senf", "", "3 Ei", "4,60", "13,80"],
  ];
  assert.deepEqual(
    rowsOf(listIn(rowsAt([40, 260, 316, 400, 480], rows))).map((row) => row[1]),
    [12, 3],
  );
});

test("in a list without headers, quantity and price are found between or inside the texts", () => {
  const rows = [
    ["Konzeption", "12,5 Std. × 95,00 €", "1.187,50 €"],
    ["Relecture, 59 heures à 25,00 €", "", "1.475,00 €"],
    ["", "Summe netto", "2.662,50 €"],
    ["", "Umsatzsteuer 19 %", "505,88 €"],
    ["", "Gesamtsumme", "3.168,38 €"],
  ];
  assert.deepEqual(rowsOf(listIn(rowsAt([40, 300, 460], rows))), [
    ["Konzeption", 12.5, 95, 1187.5],
    ["Relecture,", 59, 25, 1475],
  ]);
});

test("receipts may have quantities on a separate line and tax codes after the amounts", () => {
  const rows = [
    ["Milch 1l", "3,00 B"],
    ["2 x 1,50", ""],
    ["Brot", ""],
    ["3 x 2,00", "6,00 B"],
    ["Seife", "1,99 A"],
    ["SUMME", "10,99"],
  ];
  assert.deepEqual(rowsOf(listIn(rowsAt([40, 300], rows))), [
    ["Milch 1l", 2, 1.5, 3],
    ["Brot", 3, 2, 6],
    ["Seife", null, null, 1.99],
  ]);
});

test("account entries fill one of two amount columns, and rows without a date are not entries", () => {
  const rows = [
    ["Date", "Details", "Paid out", "Paid in"],
    ["01 Aug 2024", "Water", "38.40", ""],
    ["05 Aug 2024", "Salary", "", "1966.31"],
    ["09 Aug 2024", "Bakery", "12.85", ""],
    ["Movements", "", "51.25", "1966.31"],
  ];
  const bookings = listOf(
    field("date", "date"),
    field("details", "text"),
    field("paid_out", "number"),
    field("paid_in", "number"),
  );
  assert.deepEqual(rowsOf(listIn(rowsAt([40, 140, 340, 440], rows), bookings)), [
    ["2024-08-01", "Water", 38.4, null],
    ["2024-08-05", "Salary", null, 1966.31],
    ["2024-08-09", "Bakery", 12.85, null],
  ]);
});

/** Returns a ruled table with one word in each cell. */
function gridOf(columns: number, rows: number, page: ReturnType<typeof pageOf>): Table[] {
  const cells = page.words.slice(0, columns * rows).map((word, at) => ({
    row: Math.floor(at / columns),
    column: at % columns,
    rowSpan: 1,
    columnSpan: 1,
    box: word.box,
    words: [at],
  }));
  return [{ box: [30, 95, 500, 95 + rows * 30], rows, columns, headerRows: 1, ruled: true, cells }];
}

test("a table with unfamiliar headings is found by the kinds of its columns, and text below it is not an item", () => {
  const rows = [
    ["Gegenstand", "Anschaffung", "Neuwert"],
    ["Waschmaschine", "2021", "649,00"],
    ["Werkzeugkoffer", "2019", "285,50"],
  ];
  const goods = listOf(field("thing", "text"), field("worth when new", "number"));
  const grid = (page: ReturnType<typeof pageOf>): Table[] => gridOf(3, 3, page);
  assert.deepEqual(rowsOf(listIn(rowsAt([40, 200, 340], rows, 30), goods, grid)), [
    ["Waschmaschine", 649],
    ["Werkzeugkoffer", 285.5],
  ]);
  const named = listOf(field("test", "text"), field("container", "text"));
  const tests = [
    ["Code", "Test", "Container"],
    ["80053", "Lipids", "SST"],
    ["80061", "Metabolism", "SST"],
    ["Signature:", "A. Nwosu", "Date: today"],
  ];
  assert.deepEqual(rowsOf(listIn(rowsAt([40, 200, 340], tests, 30), named, grid)), [
    ["Lipids", "SST"],
    ["Metabolism", "SST"],
  ]);
});
