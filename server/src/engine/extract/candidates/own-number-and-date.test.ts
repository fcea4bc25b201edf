import assert from "node:assert/strict";
import test from "node:test";
import type { Document } from "../../../reading/document.ts";
import { type PlacedText, pageOf } from "../../testing/document-builder.ts";
import { extractBuiltin } from "../extract-fields.ts";

const params = [
  {
    name: "invoice_number",
    format: "text" as const,
    description: "Number of this invoice, credit note, order or delivery note",
  },
  { name: "issue_date", format: "date" as const, description: "Date of the document" },
];

function ownOf(...texts: PlacedText[]): unknown[] {
  const filler = [0, 1, 2, 3].map((row) => ({ text: "Some words of text", x: 40, y: 500 + 20 * row }));
  const document: Document = { mime: "application/pdf", metadata: {}, pages: [pageOf([...texts, ...filler])] };
  const { data } = extractBuiltin({ document, params });
  return [data.invoice_number, data.issue_date];
}

test("the number after a title that names another document kind is taken", () => {
  const title: PlacedText = { text: "Auftragsbestätigung AB-26/1188", x: 40, y: 100, size: 16, bold: true };
  assert.deepEqual(ownOf(title, { text: "Datum: 14.04.2026", x: 40, y: 140 }), ["AB-26/1188", "2026-04-14"]);
});

test("on an order, the order number is taken, not the amount beside a bold label", () => {
  const found = ownOf(
    { text: "Purchase Order", x: 40, y: 60, size: 20, bold: true },
    { text: "PO Number: 4500118273", x: 300, y: 100 },
    { text: "PO Date: 02/03/2026", x: 300, y: 120 },
    { text: "Order total: GBP 1,113.00", x: 300, y: 300, bold: true },
  );
  assert.deepEqual(found, ["4500118273", "2026-03-02"]);
});

test("on a credit note, its own date is taken, not the invoice's", () => {
  const found = ownOf(
    { text: "Credit Note", x: 40, y: 60, size: 20, bold: true },
    { text: "Credit note number: TCN-871", x: 300, y: 100 },
    { text: "Date: 11 February 2026", x: 300, y: 120 },
    { text: "Invoice date: 22 January 2026", x: 300, y: 140 },
  );
  assert.deepEqual(found, ["TCN-871", "2026-02-11"]);
});

test("a letter has the date after its town, and its reference if it has no number", () => {
  const found = ownOf(
    { text: "Köln, den 3. April 2026", x: 360, y: 100 },
    { text: "Referenz: 2026/07-KAS", x: 40, y: 140 },
    { text: "Zahlbar innerhalb von 14 Tagen, bis 17.04.2026", x: 40, y: 200 },
  );
  assert.deepEqual(found, ["2026/07-KAS", "2026-04-03"]);
});
