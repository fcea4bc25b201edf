import assert from "node:assert/strict";
import test from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../../reading/document.ts";
import { documentOf } from "../../testing/document-builder.ts";
import { extractBuiltin } from "../extract-fields.ts";

const item = (name: string, format: ExtractionParam["format"], description = ""): ExtractionParam => ({
  name,
  format,
  description,
});
const lines = [
  item("description", "text"),
  item("quantity", "number"),
  item("unit_price", "number"),
  item("line_total", "number"),
];

function listOf(document: Document, items: ExtractionParam[]): unknown[][] {
  const { data } = extractBuiltin({
    document,
    params: [{ name: "rows", format: "list", description: "All of them", items }],
  });
  const rows = Array.isArray(data.rows) ? data.rows : [];
  return rows.map((row) => items.map(({ name }) => row[name]));
}

test("columns without a known header are identified by quantity × price = total", () => {
  const document = documentOf([
    ["Description", "Qty", "Kurs", "CHF"],
    ["Consulting", "11.25", "165.00", "1'856.25"],
    ["Postage", "2.00", "37.40", "74.80"],
  ]);
  assert.deepEqual(listOf(document, lines), [
    ["Consulting", 11.25, 165, 1856.25],
    ["Postage", 2, 37.4, 74.8],
  ]);
});

test("a free item is an element, and a carried-over sum is not", () => {
  const document = documentOf([
    ["Article", "Quantité", "Prix", "Total"],
    ["Chasselas", "36", "14,50", "522,00"],
    ["Magnum", "1", "—", "offert"],
    ["À reporter", "", "", "522,00"],
  ]);
  assert.deepEqual(listOf(document, lines), [
    ["Chasselas", 36, 14.5, 522],
    ["Magnum", 1, null, null],
  ]);
});

test("a price per hundred is returned as printed", () => {
  const document = documentOf([
    ["Bezeichnung", "Menge", "Preis", "Betrag"],
    ["Becher", "2000", "8,05 100", "161,00"],
    ["Kaffee", "15", "8,08 1", "121,20"],
  ]);
  assert.deepEqual(
    listOf(document, lines).map((row) => row[2]),
    [8.05, 8.08],
  );
});

test("texts with amounts that add up need no header", () => {
  const document = documentOf([
    ["Lektorat", "288,00 €"],
    ["Zweiter Durchgang", "85,00 €"],
    ["zusammen", "373,00 €"],
  ]);
  assert.deepEqual(listOf(document, lines), [
    ["Lektorat", null, null, 288],
    ["Zweiter Durchgang", null, null, 85],
  ]);
});

test("texts with amounts that do not add up are not a list", () => {
  const document = documentOf([
    ["Alpha", "288,00 €"],
    ["Beta", "85,00 €"],
    ["Gamma", "12,00 €"],
  ]);
  assert.deepEqual(listOf(document, lines), []);
});

test("a column of phone numbers is read", () => {
  const document = documentOf([
    ["(802) 555-0119", "Plan A"],
    ["(802) 555-0166", "Plan B"],
  ]);
  assert.deepEqual(listOf(document, [item("number", "text", "Phone number")]), [
    ["(802) 555-0119"],
    ["(802) 555-0166"],
  ]);
});

test("bookings may have trailing signs and texts below, and balances are left out", () => {
  const document = documentOf([
    ["Buch.", "Vorgang", "Betrag EUR"],
    ["", "Alter Kontostand", "1.204,37 +"],
    ["02.03.", "Lastschrift", "78,00 -"],
    ["", "Stadtwerke"],
    ["05.03.", "Überweisung", "871,44 +"],
    ["", "Neuer Kontostand", "1.997,81 +"],
  ]);
  const items = [item("booking_date", "text"), item("text", "text"), item("amount", "number")];
  assert.deepEqual(listOf(document, items), [
    ["02.03.", "Lastschrift Stadtwerke", -78],
    ["05.03.", "Überweisung", 871.44],
  ]);
});
