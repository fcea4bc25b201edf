import assert from "node:assert/strict";
import test from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../reading/document.ts";
import { documentOf, pageOf } from "../testing/document-builder.ts";
import { assessFields, type FieldAssessment } from "./assessment.ts";

const param = (name: string, format: ExtractionParam["format"], description = ""): ExtractionParam => ({
  name,
  format,
  description,
});
const total = param("total", "number", "Total amount to pay");

const assessmentOf = (document: Document, asked: ExtractionParam) => {
  const { fields, data } = assessFields({ document, params: [asked] });
  return { ...(fields[asked.name] as FieldAssessment), value: data[asked.name] };
};
const textsOf = (document: Document, asked: ExtractionParam): string[] =>
  assessmentOf(document, asked).hints.map(({ page, words }) =>
    words
      .toSorted((a, b) => a - b)
      .map((word) => document.pages[page]?.words[word]?.text)
      .join(" "),
  );

test("a value whose label occurs only once is sure", () => {
  const { sure, value } = assessmentOf(documentOf([["Invoice"], ["Total:", "43.20"], ["Thank you"]]), total);
  assert.deepEqual([value, sure], [43.2, true]);
});

test("if two values have the same label, neither is sure", () => {
  const { sure } = assessmentOf(documentOf([["Total:", "43.20"], ["Some text"], ["Total:", "18.90"]]), total);
  assert.equal(sure, false);
});

test("an amount that is also printed rounded is not sure, whatever its label", () => {
  const plain = documentOf([
    ["Total:", "43.21"],
    ["Bar", "50.00"],
  ]);
  const rounded = documentOf([
    ["Total:", "43.21"],
    ["Bar", "43.20"],
  ]);
  assert.deepEqual([assessmentOf(plain, total).sure, assessmentOf(rounded, total).sure], [true, false]);
  assert.ok(textsOf(rounded, total).includes("Bar 43.20"), "the rounded one is to be looked at");
});

test("a name that probably continues on the next line is not sure", () => {
  const seller = param("seller_name", "text", "Name of the company that sells the goods");
  const paper = (name: string) => documentOf([["Seller name:", name], ["Invoice 12"]]);
  assert.deepEqual(
    ["The Marlow Stores of York", "The Marlow Stores of", "The Marlow Stores &"].map(
      (name) => assessmentOf(paper(name), seller).sure,
    ),
    [true, false, false],
  );
});

test("if the document has two numbers of the same kind, a number is sure only with a clear lead", () => {
  const vat = param("seller_vat_id", "text", "VAT identification number of the seller");
  const one = documentOf([["Seller: Marlow Ltd"], ["VAT ID: GB 123 4567 82"]]);
  const two = documentOf([["VAT ID: GB 123 4567 82"], ["Some text"], ["VAT ID: GB 999 9999 73"]]);
  assert.deepEqual([assessmentOf(one, vat).sure, assessmentOf(two, vat).sure], [true, false]);
});

test("a field is surely absent if no text has its format, unless the text is from OCR", () => {
  const letter = documentOf([["Dear Sir"], ["the parcel was left at the door."]]);
  for (const asked of [total, param("due_date", "date"), param("iban", "text", "IBAN of the account")]) {
    const { sure, hints, value } = assessmentOf(letter, asked);
    assert.deepEqual([value, sure, hints], [null, true, []], asked.name);
  }
  const scan: Document = { ...letter, pages: letter.pages.map((page) => ({ ...page, source: "ocr" })) };
  assert.equal(assessmentOf(scan, total).sure, false);
  assert.equal(assessmentOf(letter, param("order_number", "text", "Number of the order")).sure, false);
  assert.equal(assessmentOf(letter, param("mood", "text", "How the letter sounds")).sure, false);
});

test("an IBAN is surely absent even if other numbers are present, unless the text is from OCR", () => {
  const document = documentOf([["Invoice number: NL-2026-0417"]]);
  const scan: Document = { ...document, pages: document.pages.map((page) => ({ ...page, source: "ocr" })) };
  const iban = param("iban", "text", "IBAN of the account to pay to");
  const { value, sure, hints } = assessmentOf(document, iban);
  assert.deepEqual([value, sure, hints], [null, true, []]);
  assert.equal(assessmentOf(scan, iban).sure, false);
});

test("if few values have the field's format, the hints contain all of them with their neighbouring text", () => {
  const document = documentOf([
    ["Printed", "2026-03-01"],
    ["Some text"],
    ["Paid", "Sent"],
    ["2026-03-04", "2026-03-07"],
  ]);
  const due = param("due_date", "date", "By when it has to be paid");
  assert.equal(assessmentOf(document, due).complete, true);
  assert.deepEqual(textsOf(document, due).toSorted(), ["Paid 2026-03-04", "Printed 2026-03-01", "Sent 2026-03-07"]);
});

test("if many values have the field's format, the hints contain those with its label, and none is sure", () => {
  const rows = Array.from({ length: 30 }, (_, row) => [`Item ${row}`, `${row + 1}.50`]);
  const document = documentOf([...rows, ["Total:", "465.00"], ["Total:", "460.00"]]);
  const { complete, sure } = assessmentOf(document, total);
  assert.deepEqual([sure, complete], [false, false]);
  const texts = textsOf(document, total);
  assert.ok(texts.includes("Total: 465.00") && texts.includes("Total: 460.00"), texts.join("; "));
  assert.ok(texts.length < 6, texts.join("; "));
});

test("hints for a text contain its label even if no value was read there", () => {
  const document = documentOf([["Dear Sir"], ["Name of the ship: -"], ["Aurora, at the second pier"], ["Yours"]]);
  const shown = textsOf(document, param("ship_name", "text", "Name of the ship"));
  assert.ok(shown.includes("Name of the ship: - Aurora, at the second pier"), shown.join("; "));
  assert.deepEqual(textsOf(document, param("cargo", "text", "What the ship has loaded")), []);
});

const block = ["MARLOW STORES", "LOT 4, JALAN SAGU 18,", "TAMAN DAYA,", "81100 JOHOR BAHRU", "JOHOR"];
const others = Array.from({ length: 12 }, (_, row) => `Tea of sort ${row}`);
const address = param("address", "text", "Address of the company");

/**
 * Returns a document whose first lines are close together at the top and whose last lines are
 * further down.
 */
function paperOf(...[first, last]: [string[], string[]]): Document {
  const texts = [...first, ...last].map((text, row) => ({
    text,
    x: 40,
    y: row < first.length ? 20 + 12 * row : 200 + 12 * row,
  }));
  return { mime: "application/pdf", metadata: {}, pages: [pageOf(texts)] };
}

test("hints for a name and an address contain the letterhead, as on receipts", () => {
  const shown = textsOf(paperOf(block, others), address).join(" ");
  for (const line of block) assert.ok(shown.includes(line), `${line} in ${shown}`);
  assert.ok(!shown.includes("sort 11"));
});

test("hints for an address further down contain its continuation lines", () => {
  const shown = textsOf(paperOf(others, block), address).join(" ");
  for (const line of block.slice(1)) assert.ok(shown.includes(line), `${line} in ${shown}`);
  assert.ok(!shown.includes("sort 11"), shown);
});
