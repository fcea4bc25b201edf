import assert from "node:assert/strict";
import test from "node:test";
import type { Document } from "../../../reading/document.ts";
import { type PlacedText, pageOf } from "../../testing/document-builder.ts";
import { field } from "../../testing/list-params.ts";
import { extractBuiltin } from "../extract-fields.ts";

const edges = [40, 110, 330, 400, 480];
const step = 18;

/**
 * Returns rows of cells. `edges` has the left edge of each cell. A row with a single cell is bold.
 */
const rowsAt = (rows: readonly (readonly string[])[], top = 100): PlacedText[] =>
  rows.flatMap((cells, row) =>
    cells.flatMap((text, at): PlacedText[] =>
      text
        ? [{ text, x: edges[at] ?? 0, y: top + row * step, ...(cells.length === 1 ? { bold: true as const } : {}) }]
        : [],
    ),
  );

function listIn(texts: readonly PlacedText[], ...items: Parameters<typeof field>[]): unknown[][] {
  const document: Document = { mime: "application/pdf", metadata: {}, pages: [pageOf(texts)] };
  const list = { name: "services", format: "list" as const, description: "Services with code, hours and amount" };
  const param = { ...list, items: items.map((item) => field(...item)) };
  const { services } = extractBuiltin({ document, params: [param] }).data;
  return Array.isArray(services) ? services.map((row) => items.map(([name]) => row[name])) : [];
}

const head = ["Code", "Service", "Hours", "Rate", "Amount"];
const bodyRows = [
  ["A-101", "Survey of the roof", "2.5", "40.00", "100.00"],
  ["A-102", "Repair of the gutter", "3", "50.00", "150.00"],
  ["B-201", "Paint for the door", "1.5", "30.00", "45.00"],
  ["B-202", "Second coat of paint", "4", "20.00", "80.00"],
  ["C-301", "Cleaning of the site", "2", "35.00", "70.00"],
  ["C-302", "Removal of waste", "1", "60.00", "60.00"],
  ["C-303", "Rental of a container", "5", "12.00", "60.00"],
];

test("lines in smaller print are not part of the text above", () => {
  const details = bodyRows.map(
    (_, row): PlacedText => ({
      text: `ref. ${row}77`,
      x: edges[1] ?? 0,
      y: 111 + (row + 1) * step * 1.5,
      size: 7,
    }),
  );
  const rows = [head, ...bodyRows].flatMap((cells, row) => rowsAt([cells], 100 + row * step * 1.5));
  const found = listIn([...rows, ...details], ["code", "text"], ["service", "text"], ["amount", "number"]);
  assert.deepEqual(
    found,
    bodyRows.map(([code, service, , , amount]) => [code, service, Number(amount)]),
  );
});

test("a column is split if two item fields share it", () => {
  const joined = [head, ...bodyRows].map(([code, service, ...numbers]) => ["", `${code} ${service}`, ...numbers]);
  const found = listIn(
    rowsAt(joined),
    ["code", "text"],
    ["service", "text"],
    ["hours", "number"],
    ["amount", "number"],
  );
  assert.deepEqual(
    found,
    bodyRows.map(([code, service, hours, , amount]) => [code, service, Number(hours), Number(amount)]),
  );
});

test("group headings become the values of an item field that has no column", () => {
  const grouped = [head, ["Roof"], ...bodyRows.slice(0, 2), ["Door"], ...bodyRows.slice(2)];
  const items: Parameters<typeof field>[] = [
    ["trade", "text"],
    ["code", "text"],
    ["service", "text"],
    ["hours", "number"],
    ["rate", "number"],
    ["amount", "number"],
  ];
  const found = listIn(rowsAt(grouped), ...items);
  assert.deepEqual(
    found.map((row) => row.slice(0, 3)),
    bodyRows.map(([code, service], at) => [at < 2 ? "Roof" : "Door", code, service]),
  );
});

test("a last row that begins with the word total is not an item", () => {
  const rows = [
    ["Code", "Service", "Hours"],
    ...bodyRows.map((row) => row.slice(0, 3)),
    ["Total", "of all services", "99"],
  ];
  const found = listIn(rowsAt(rows), ["code", "text"], ["service", "text"], ["hours", "number"]);
  assert.deepEqual(
    found.map(([code]) => code),
    bodyRows.map(([code]) => code),
  );
});

test("a list may begin below other rows in the same columns", () => {
  const others = ["Client", "Anna Lehmann", "Order", "4711", "2025"];
  const found = listIn(
    rowsAt([others, others, head, ...bodyRows]),
    ["code", "text"],
    ["service", "text"],
    ["amount", "number"],
  );
  assert.deepEqual(
    found,
    bodyRows.map(([code, service, , , amount]) => [code, service, Number(amount)]),
  );
});
