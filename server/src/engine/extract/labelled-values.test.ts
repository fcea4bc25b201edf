import assert from "node:assert/strict";
import test from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../reading/document.ts";
import type { Value } from "../engine.ts";
import { documentOf, type PlacedText, pageOf } from "../testing/document-builder.ts";
import { extractBuiltin } from "./extract-fields.ts";

type Asked = readonly [name: string, format: ExtractionParam["format"], description?: string];

const answers = (document: Document, ...asked: Asked[]): Value[] => {
  const params = asked.map(([name, format, description = ""]) => ({ name, format, description }));
  const { data } = extractBuiltin({ document, params });
  return params.map((param) => data[param.name] ?? null);
};

const placed = (...texts: PlacedText[]): Document => ({
  mime: "application/pdf",
  metadata: {},
  pages: [pageOf(texts)],
});

test("values are found in a row below a row of labels", () => {
  const document = documentOf([
    ["Delivery note", "Date", "Customer"],
    ["L-118834", "18.03.2026", "30917"],
  ]);
  assert.deepEqual(answers(document, ["delivery number", "text"], ["date", "date"], ["customer number", "text"]), [
    "L-118834",
    "2026-03-18",
    "30917",
  ]);
});

test("a vague label is combined with the one to its left", () => {
  const document = documentOf([
    ["Order No.", "Dated", "Invoice No.", "Dated"],
    ["PO-331", "14.03.2026", "R-1187", "28.03.2026"],
  ]);
  assert.deepEqual(answers(document, ["issue_date", "date"]), ["2026-03-28"]);
});

test("a sum in a box is found to the lower right of its label", () => {
  const document = placed(
    { text: "27 Orchard Road", x: 40, y: 100 },
    { text: "Total due", x: 372, y: 100 },
    { text: "$187.34", x: 477, y: 113 },
  );
  assert.deepEqual(answers(document, ["total_due", "number"]), [187.34]);
});

test("a sentence continues on the next line", () => {
  const document = placed(
    { text: "Règlement par virement sur le compte de la société avant le", x: 40, y: 100 },
    { text: "6/04/2026.", x: 40, y: 113 },
  );
  assert.deepEqual(answers(document, ["due_date", "date"]), ["2026-04-06"]);
});

test("an account number continues on the next line", () => {
  const document = placed(
    { text: "auf mein Konto, IBAN DE89 3704 0044 0532", x: 40, y: 100 },
    { text: "0130 00. Vielen Dank", x: 40, y: 113 },
  );
  assert.deepEqual(answers(document, ["iban", "text", "IBAN without spaces"]), ["DE89370400440532013000"]);
});

test("the end of a service period is not a due date", () => {
  const document = documentOf([["Leistungszeitraum vom 2.3.2026 bis 27.3.2026"]]);
  assert.deepEqual(answers(document, ["due_date", "date"]), [null]);
});

test("a dot leader separates label and value", () => {
  assert.deepEqual(
    answers(documentOf([["Security deposit ........1,250.00"]]), ["security deposit", "number"]),
    [1250],
  );
});

test("paragraph numbers are not amounts", () => {
  assert.deepEqual(answers(documentOf([["TVA non applicable, art. 293 B du CGI"]]), ["tax_total", "number"]), [null]);
});

test("the previous balance isn't the one that is due", () => {
  const document = documentOf([
    ["Previous balance", "$179.80"],
    ["Balance due", "$187.34"],
  ]);
  assert.deepEqual(answers(document, ["amount due", "number"], ["previous balance", "number"]), [187.34, 179.8]);
});

test("the amount of an item is never the amount due", () => {
  const document = documentOf([
    ["Item", "Quantity", "Total"],
    ["Chair", "2", "120.00"],
    ["Table", "1", "80.00"],
    ["Invoice total", "", "200.00"],
  ]);
  assert.deepEqual(answers(document, ["amount_due", "number"]), [200]);
});

test("a quantity is found by its unit", () => {
  const document = documentOf([["In diesem Jahr haben Sie 2.614 kWh Strom verbraucht."]]);
  assert.deepEqual(answers(document, ["consumption", "number", "Total consumption in kWh"]), [2614]);
});

test("labels of other trades and languages are recognized", () => {
  const document = documentOf([
    ["Kontoauszug Nr.", "3/2026"],
    ["Alter Kontostand", "1.204,37"],
    ["Neuer Kontostand", "2.973,22"],
    ["Dispolimit", "2.000,00"],
  ]);
  assert.deepEqual(
    answers(
      document,
      ["statement_number", "text"],
      ["opening_balance", "number"],
      ["closing_balance", "number"],
      ["overdraft_limit", "number"],
    ),
    ["3/2026", 1204.37, 2973.22, 2000],
  );
});

test("in a row of labels, no label is the value of the previous one", () => {
  const document = documentOf([
    ["Customer", "Tour", "Page"],
    ["20815", "14", "1"],
  ]);
  const [customer, tour] = answers(document, ["customer", "text"], ["tour", "text"]);
  assert.notEqual(customer, "Tour");
  assert.equal(tour, "14");
});

test("fill-in lines and notes on a label are not values", () => {
  const document = documentOf([["Accepted by patient: ________"], ["Patient name (last, first)"], ["Berg, Leonora"]]);
  assert.deepEqual(answers(document, ["patient name", "text"]), ["Berg, Leonora"]);
});

test("a name is below the heading of its party", () => {
  const document = documentOf([["APPLICANT"], ["Full legal name: Marcus Tremblay"], ["Phone: 458 555 0134"]]);
  assert.deepEqual(answers(document, ["applicant", "text"]), ["Marcus Tremblay"]);
});

test("field names without umlauts, and dates of validity, are understood", () => {
  const document = documentOf([["Wohnfläche: 78,5 m²"], ["Gültigkeit: 1. Januar 2025 bis 31. Dezember 2025"]]);
  assert.deepEqual(answers(document, ["wohnflaeche", "number"], ["gueltig_ab", "date"], ["gueltig_bis", "date"]), [
    78.5,
    "2025-01-01",
    "2025-12-31",
  ]);
});

test("brought forward is the opening balance, carried forward the closing balance", () => {
  const document = documentOf([
    ["Balance brought forward", "1,482.17"],
    ["Balance carried forward", "2,587.57"],
  ]);
  assert.deepEqual(answers(document, ["opening_balance", "number"], ["closing_balance", "number"]), [1482.17, 2587.57]);
});

test("a stated rounding joins net, tax and gross", () => {
  const document = documentOf([
    ["Zwischentotal", "6'643.00"],
    ["Rabatt 5 %", "-332.15"],
    ["Total exkl. MWST", "6'310.85"],
    ["MWST 8.1 %", "511.18"],
    ["Rundung", "0.02"],
    ["Total inkl. MWST", "6'822.05"],
  ]);
  assert.deepEqual(
    answers(document, ["net_total", "number"], ["tax_total", "number"], ["gross_total", "number"]),
    [6310.85, 511.18, 6822.05],
  );
});

test("a raised ordinal ending does not split a date", () => {
  const document = placed(
    { text: "Lyon, le 1", x: 40, y: 40 },
    { text: "er", x: 85, y: 37, size: 6 },
    { text: "octobre 2024", x: 94, y: 40 },
    { text: "Payable le 31 octobre 2024", x: 40, y: 80 },
  );
  assert.deepEqual(answers(document, ["issue_date", "date"]), ["2024-10-01"]);
});

test("the text below the next label belongs to that label", () => {
  const document = documentOf([
    ["Account statement", "IBAN", "GB60 NWBK 6013 1828 4719 30"],
    ["Account name", "MRS I R FAIRWAY"],
    ["Account number", "28471930"],
    ["Sort code", "60-13-18"],
  ]);
  assert.deepEqual(answers(document, ["account_holder", "text"]), ["MRS I R FAIRWAY"]);
});

test("a part of an amount is not an identifier", () => {
  const document = documentOf([["Estimated damage: 1.254,50 EUR"]]);
  assert.deepEqual(answers(document, ["claim_number", "text"]), [null]);
});
