import assert from "node:assert/strict";
import test from "node:test";
import type { Document } from "../../../reading/document.ts";
import type { ValueRecord } from "../../engine.ts";
import { type PlacedText, pageOf } from "../../testing/document-builder.ts";
import { extractBuiltin } from "../extract-fields.ts";

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

test("sections with a role separate name and VAT number of the parties", () => {
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

test("the name is below 'Bill to', without 'Attn'", () => {
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

test("the only address of a receipt is the shop's", () => {
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

test("the sender line above an address distinguishes the parties", () => {
  const data = partiesOf([
    { text: "Moosbach Stahl GmbH · Hüttenweg 3 · 84000 Moosbach", x: 40, y: 100, size: 7 },
    { text: "Firma", x: 40, y: 114 },
    { text: "Gasthof Zur Linde", x: 40, y: 127 },
    { text: "Kirchplatz 1", x: 40, y: 140 },
    { text: "84100 Neudorf", x: 40, y: 153 },
    { text: "UID: ATU12345678", x: 40, y: 166 },
    { text: "Moosbach Stahl GmbH · HRB 99 · USt-IdNr. DE123456789", x: 40, y: 790, size: 7 },
  ]);
  assert.equal(data["seller name"], "Moosbach Stahl GmbH");
  assert.equal(data["buyer name"], "Gasthof Zur Linde");
  assert.equal(data["seller VAT ID"], "DE123456789");
  assert.equal(data["buyer VAT ID"], "ATU12345678");
});

test("the letterhead of an order is the buyer's", () => {
  const data = partiesOf([
    { text: "Seaview School", x: 40, y: 30, size: 14 },
    { text: "2 Cliff Road", x: 40, y: 50 },
    { text: "Leeds LS1 4AP", x: 40, y: 63 },
    { text: "Tel. 0113 555 010", x: 40, y: 76 },
    { text: "PURCHASE ORDER", x: 300, y: 30, size: 18, bold: true },
    { text: "Supplier:", x: 40, y: 130 },
    { text: "Alder & Birch Ltd", x: 40, y: 143 },
    { text: "4 Mill Lane", x: 40, y: 156 },
    { text: "York YO1 7HH", x: 40, y: 169 },
    { text: "Buyer: Jane Porter", x: 300, y: 143 },
  ]);
  assert.equal(data["seller name"], "Alder & Birch Ltd");
  assert.equal(data["buyer name"], "Seaview School");
});

test("the signer of a letter without a company name is the seller", () => {
  const data = partiesOf([
    { text: "Mira Talbot", x: 240, y: 30, size: 16 },
    { text: "4 Mill Lane, Leeds LS1 4AP", x: 220, y: 52 },
    { text: "To: Friends of the Old Pier", x: 40, y: 120 },
    { text: "9 Shore Street", x: 40, y: 133 },
    { text: "Whitby YO21 3PU", x: 40, y: 146 },
    { text: "Kind regards", x: 40, y: 400 },
    { text: "Mira Talbot", x: 40, y: 416 },
  ]);
  assert.equal(data["seller name"], "Mira Talbot");
  assert.equal(data["buyer name"], "Friends of the Old Pier");
});

test("the account to be debited is not the payee's, and the recipient of a payslip is the employee", () => {
  const { data } = extractBuiltin({
    document: documentOfTexts([
      { text: "Moosbach Stahl GmbH", x: 40, y: 30, size: 14 },
      { text: "Hüttenweg 3", x: 40, y: 50 },
      { text: "84000 Moosbach", x: 40, y: 63 },
      { text: "Tel. 08600 12345", x: 40, y: 76 },
      { text: "Frau Anna Berger", x: 300, y: 120 },
      { text: "Kirchplatz 1", x: 300, y: 133 },
      { text: "84100 Neudorf", x: 300, y: 146 },
      { text: "Der Betrag wird von Ihrem Konto DE02120300000000202051 abgebucht.", x: 40, y: 300 },
      { text: "Moosbach Stahl GmbH · IBAN DE02500105170137075030", x: 40, y: 790 },
    ]),
    params: ["iban", "employee", "employer"].map((name) => ({ name, format: "text" as const, description: "" })),
  });
  assert.equal(data.iban, "DE02500105170137075030");
  assert.equal(data.employee, "Anna Berger");
  assert.equal(data.employer, "Moosbach Stahl GmbH");
});
