import assert from "node:assert/strict";
import test from "node:test";
import type { Document } from "../../reading/document.ts";
import type { ValueRecord } from "../engine.ts";
import { extractBuiltin } from "./extract.ts";
import { type PlacedText, pageOf } from "./testing/document-builder.ts";

const documentOfTexts = (texts: PlacedText[]): Document => ({
  mime: "application/pdf",
  metadata: {},
  pages: [pageOf(texts)],
});
const params = ["seller name", "buyer name", "seller address", "buyer VAT ID", "seller VAT ID"].map((name) => ({
  name,
  format: "text" as const,
  description: "",
}));
const partiesOf = (texts: PlacedText[]): ValueRecord =>
  extractBuiltin({ document: documentOfTexts(texts), params }).data;

test("sections with a role keep name and VAT number of each party apart", () => {
  const data = partiesOf([
    { text: "Verkäufer", x: 40, y: 60, bold: true },
    { text: "Name:", x: 40, y: 76 },
    { text: "Alpenblick Käserei e.G.", x: 200, y: 76 },
    { text: "USt-IdNr.:", x: 40, y: 92 },
    { text: "DE123456789", x: 200, y: 92 },
    { text: "Käufer", x: 40, y: 140, bold: true },
    { text: "Name:", x: 40, y: 156 },
    { text: "Bistro Chez Nous", x: 200, y: 156 },
    { text: "USt-IdNr.:", x: 40, y: 172 },
    { text: "FR32123456789", x: 200, y: 172 },
  ]);
  assert.equal(data["seller name"], "Alpenblick Käserei e.G.");
  assert.equal(data["buyer name"], "Bistro Chez Nous");
  assert.equal(data["seller VAT ID"], "DE123456789");
  assert.equal(data["buyer VAT ID"], "FR32123456789");
});

test("the name stands below 'Bill to', without 'Attn'", () => {
  const data = partiesOf([
    { text: "Harbor Tools Inc.", x: 40, y: 40, size: 16 },
    { text: "5 Dock Road", x: 40, y: 60 },
    { text: "Portland, OR 97201", x: 40, y: 74 },
    { text: "Phone (503) 555-0100", x: 40, y: 88 },
    { text: "Bill to:", x: 40, y: 140 },
    { text: "Attn: Mill Creek Farm", x: 40, y: 156 },
    { text: "88 Orchard Lane", x: 40, y: 170 },
    { text: "Salem, OR 97301", x: 40, y: 184 },
  ]);
  assert.equal(data["seller name"], "Harbor Tools Inc.");
  assert.equal(data["buyer name"], "Mill Creek Farm");
  assert.equal(data["seller address"], "5 Dock Road Portland, OR 97201");
});

test("a receipt's only address is that of the shop", () => {
  const data = partiesOf([
    { text: "CORNER BAKERY", x: 100, y: 20 },
    { text: "12 High Street", x: 98, y: 34 },
    { text: "LS1 4AP Leeds", x: 101, y: 48 },
    { text: "TOTAL", x: 40, y: 100 },
    { text: "4.20", x: 200, y: 100 },
  ]);
  assert.equal(data["seller name"], "CORNER BAKERY");
  assert.equal(data["buyer name"], null);
});
