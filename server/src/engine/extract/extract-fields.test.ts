import assert from "node:assert/strict";
import test from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import fc from "fast-check";
import type { Document } from "../../reading/document.ts";
import type { Evidence, EvidenceValue, Value } from "../engine.ts";
import { documentOf, type PlacedText, pageOf } from "../testing/document-builder.ts";
import { extractBuiltin } from "./extract-fields.ts";

const param = (
  name: string,
  format: ExtractionParam["format"],
  description = "",
  items?: ExtractionParam[],
): ExtractionParam => ({ name, format, description, ...(items ? { items } : {}) });
const lineItems = param("items", "list", "Line items", [
  param("description", "text"),
  param("quantity", "number"),
  param("unit_price", "number"),
  param("line_total", "number"),
]);

const letter: Document = {
  mime: "application/pdf",
  metadata: {},
  pages: [
    pageOf([
      { text: "Nordlicht GmbH · Hafenweg 3 · 20457 Hamburg", x: 40, y: 60, size: 7 },
      { text: "Café Morgenrot", x: 40, y: 80 },
      { text: "Erika Beispiel", x: 40, y: 94 },
      { text: "Gartenstr. 12", x: 40, y: 108 },
      { text: "10115 Berlin", x: 40, y: 122 },
      { text: "Rechnung Nr. 2026-118", x: 40, y: 180, size: 14, bold: true },
      { text: "Rechnungsdatum: 03.04.2026", x: 360, y: 180 },
      { text: "Kundennummer: 5521", x: 360, y: 196 },
      { text: "Bezeichnung", x: 40, y: 240 },
      { text: "Menge", x: 300, y: 240 },
      { text: "Einzelpreis", x: 380, y: 240 },
      { text: "Gesamt", x: 480, y: 240 },
      { text: "Röstkaffee Blend", x: 40, y: 260 },
      { text: "12", x: 310, y: 260 },
      { text: "9,50 €", x: 385, y: 260 },
      { text: "114,00 €", x: 480, y: 260 },
      { text: "1 kg, ganze Bohne", x: 40, y: 272 },
      { text: "Filterpapier", x: 40, y: 292 },
      { text: "4", x: 310, y: 292 },
      { text: "1,50 €", x: 385, y: 292 },
      { text: "6,00 €", x: 480, y: 292 },
      { text: "Summe netto", x: 380, y: 320 },
      { text: "120,00 €", x: 480, y: 320 },
      { text: "zzgl. 19 % MwSt.", x: 380, y: 336 },
      { text: "22,80 €", x: 480, y: 336 },
      { text: "Rechnungsbetrag", x: 380, y: 352 },
      { text: "142,80 €", x: 480, y: 352 },
      { text: "Zahlbar bis 17.04.2026 ohne Abzug.", x: 40, y: 400 },
      { text: "Nordlicht GmbH", x: 40, y: 780, size: 7 },
      { text: "USt-IdNr.: DE136695976", x: 200, y: 780, size: 7 },
      { text: "IBAN: DE89 3704 0044 0532 0130 00", x: 380, y: 780, size: 7 },
    ]),
  ],
};

test("English fields are extracted from a German letter", () => {
  const { data } = extractBuiltin({
    document: letter,
    params: [
      param("invoice_number", "text"),
      param("issue_date", "date"),
      param("due_date", "date"),
      param("seller_name", "text"),
      param("buyer_name", "text"),
      param("seller_vat_id", "text"),
      param("currency", "text"),
      param("net_total", "number"),
      param("tax_total", "number"),
      param("gross_total", "number"),
      param("customer number", "text"),
      param("iban", "text", "IBAN without spaces"),
      lineItems,
    ],
  });
  assert.deepEqual(data, {
    invoice_number: "2026-118",
    issue_date: "2026-04-03",
    due_date: "2026-04-17",
    seller_name: "Nordlicht GmbH",
    buyer_name: "Café Morgenrot",
    seller_vat_id: "DE136695976",
    currency: "EUR",
    net_total: 120,
    tax_total: 22.8,
    gross_total: 142.8,
    "customer number": "5521",
    iban: "DE89370400440532013000",
    items: [
      { description: "Röstkaffee Blend 1 kg, ganze Bohne", quantity: 12, unit_price: 9.5, line_total: 114 },
      { description: "Filterpapier", quantity: 4, unit_price: 1.5, line_total: 6 },
    ],
  });
});

test("a date or an amount requested as text is returned as printed", () => {
  const { data, evidence } = extractBuiltin({
    document: letter,
    params: [
      param("invoice_date", "text", "Invoice date"),
      param("a", "text", "Date of the invoice"),
      param("due", "text", "Due date"),
      param("b", "text", "Total amount including tax"),
      param("c", "text", "Invoice number"),
      param("d", "text", "Billing period"),
    ],
  });
  const printed = {
    invoice_date: "03.04.2026",
    a: "03.04.2026",
    due: "17.04.2026",
    b: "142,80 €",
    c: "2026-118",
    d: null,
  };
  assert.deepEqual(data, printed);
  for (const [name, value] of Object.entries(printed))
    if (value !== null) assert.ok((evidence[name] as Evidence).quote.includes(value), name);
});

test("two fields that ask for the same both get it, however sure each is", () => {
  const amounts = [
    ["Net amount", "70.00"],
    ["VAT 20 %", "14.02"],
    ["Total:", "84.02"],
  ];
  const { data } = extractBuiltin({
    document: documentOf([["Marlow Ltd", "Invoice"], ["Invoice no.:", "2026-118"], ...amounts]),
    params: [param("net", "number", "Net amount"), param("taxable", "number", "total net amount before VAT")],
  });
  assert.deepEqual(data, { net: 70, taxable: 70 });
});

test("the label of an amount is not a statement, with or without the amount", () => {
  const paid = (lines: PlacedText[]) =>
    extractBuiltin({
      document: { ...letter, pages: [pageOf(lines)] },
      params: [param("paid", "boolean", "Whether the invoice is paid")],
    }).data.paid;
  const line = (label: string, amount: string, y: number): PlacedText[] => [
    { text: label, x: 40, y },
    ...(amount === "" ? [] : [{ text: amount, x: 300, y }]),
  ];
  const total = line("Total", "142.80", 100);
  assert.equal(paid([...total, ...line("Paid", "50.00", 114)]), null);
  assert.equal(paid([...total, ...line("Paid", "", 114), ...line("Amount due", "142.80", 128)]), null);
  assert.equal(paid([...total, ...line("The invoice is paid", "", 114)]), true);
});

test("a missing value is null, and a missing list is empty", () => {
  const { data, evidence } = extractBuiltin({
    document: documentOf([["Hello world"], ["This is a short note."]]),
    params: [
      param("invoice_number", "text"),
      param("due_date", "date"),
      param("gross_total", "number"),
      param("paid", "boolean"),
      lineItems,
    ],
  });
  assert.deepEqual(data, { invoice_number: null, due_date: null, gross_total: null, paid: null, items: [] });
  assert.deepEqual(evidence, { invoice_number: null, due_date: null, gross_total: null, paid: null, items: [] });
});

test("fields outside of the lexicon are found by a label to the left or above", () => {
  const document = documentOf([
    ["Kündigungsfrist:", "3 Monate zum Quartalsende"],
    ["Policy holder", "Zählerstand"],
    ["Maria Keller", "48213"],
    ["Smoker:", "no"],
    ["[x] Glass breakage", "[ ] Theft"],
  ]);
  const { data } = extractBuiltin({
    document,
    params: [
      param("notice period", "text"),
      param("policy holder", "text"),
      param("Zählerstand", "number"),
      param("smoker", "boolean"),
      param("glass breakage", "boolean"),
      param("theft", "boolean"),
    ],
  });
  assert.deepEqual(data, {
    "notice period": "3 Monate zum Quartalsende",
    "policy holder": "Maria Keller",
    Zählerstand: 48213,
    smoker: false,
    "glass breakage": true,
    theft: false,
  });
});

test("values of a closed set are found after a label or alone, and no other value is returned", () => {
  const document = documentOf([
    ["Order status:", "already PAID in cash"],
    ["Delivery by express"],
    ["Colour:", "purple"],
  ]);
  const { data, evidence } = extractBuiltin({
    document,
    params: [
      param("status", "text", "One of: open, paid or overdue"),
      param("shipping", "text", "One of: standard, express"),
      param("colour", "text", "One of: red, green"),
    ],
  });
  assert.deepEqual(data, { status: "paid", shipping: "express", colour: null });
  assert.deepEqual(evidence.status, { ...(evidence.status as Evidence), quote: "PAID", match: "normalized" });
});

test("a name like __proto__ is a key like any other", () => {
  const { data } = extractBuiltin({
    document: letter,
    params: [param("__proto__", "text"), param("constructor", "number")],
  });
  assert.deepEqual(Object.keys(data), ["__proto__", "constructor"]);
});

const fragments = [
  "Invoice",
  "No",
  "Total:",
  "1.234,56",
  "12.50",
  "€",
  "USD",
  "2026-01-02",
  "03/04/2020",
  "Seller",
  "Bill to",
  "GmbH",
  "Acme",
  "12345 Berlin",
  "Qty",
  "Description",
  "Price",
  "Amount",
  "7",
  "[x]",
  "yes",
  "DE89 3704 0044 0532 0130 00",
  "(5.00)",
  "שלום",
  "😀",
  ":",
  "-",
];
const placed: fc.Arbitrary<PlacedText> = fc.record({
  text: fc.oneof(
    fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
    fc.string({ maxLength: 12 }),
  ),
  x: fc.integer({ min: 0, max: 560 }),
  y: fc.integer({ min: 0, max: 60 }).map((row) => row * 7),
});
const documents: fc.Arbitrary<Document> = fc
  .array(fc.array(placed, { maxLength: 40 }), { maxLength: 3 })
  .map((pages) => ({ mime: "application/pdf", metadata: {}, pages: pages.map((texts, at) => pageOf(texts, at + 1)) }));

const asked = [
  param("invoice_number", "text"),
  param("seller_name", "text"),
  param("buyer_address", "text"),
  param("currency", "text"),
  param("due_date", "date"),
  param("gross_total", "number"),
  param("something else", "text", "One of: a, b"),
  param("checked", "boolean"),
  lineItems,
];

function* evidenceIn(value: Value, evidence: EvidenceValue): Generator<[Value, Evidence]> {
  if (Array.isArray(value) && Array.isArray(evidence)) {
    assert.equal(value.length, evidence.length);
    for (const [at, record] of value.entries()) {
      assert.deepEqual(Object.keys(record), Object.keys(evidence[at] ?? {}));
      for (const [name, inner] of Object.entries(record)) yield* evidenceIn(inner, evidence[at]?.[name] ?? null);
    }
    return;
  }
  assert.equal(value === null, evidence === null);
  if (evidence !== null && !Array.isArray(evidence)) yield [value, evidence];
}

test("for random documents, every field is a key and the words in the boxes are the quote", () => {
  fc.assert(
    fc.property(documents, (document) => {
      const { data, evidence } = extractBuiltin({ document, params: asked });
      assert.deepEqual(
        Object.keys(data),
        asked.map((one) => one.name),
      );
      assert.deepEqual(
        Object.keys(evidence),
        asked.map((one) => one.name),
      );
      for (const { name } of asked) {
        for (const [value, { page, boxes, quote, match, confidence }] of evidenceIn(
          data[name] ?? null,
          evidence[name] ?? null,
        )) {
          const inside = (document.pages[page - 1]?.words ?? []).filter(({ box }) => {
            const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
            return boxes.some((outer) => x >= outer[0] && x <= outer[2] && y >= outer[1] && y <= outer[3]);
          });
          assert.equal(inside.map((word) => word.text).join(" "), quote);
          assert.ok(confidence >= 0 && confidence <= 1);
          if (match === "exact") assert.ok(quote.includes(String(value)));
        }
      }
    }),
    { numRuns: 300 },
  );
});
