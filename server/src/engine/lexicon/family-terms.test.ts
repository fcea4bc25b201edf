import assert from "node:assert/strict";
import test from "node:test";
import { toTerms } from "./family-terms.ts";

const said = (text: string): string[] =>
  toTerms(text)
    .filter((term) => term.weight > 0)
    .map((term) => term.texts[0] ?? "");

test("labels in all languages map to the same word families", () => {
  for (const label of [
    "Invoice Number",
    "Rechnungsnummer",
    "Rg.-Nr.",
    "Inv. No",
    "N° de facture",
    "Número de factura",
    "Factuurnummer",
    "invoice #",
  ]) {
    assert.deepEqual(new Set(said(label)), new Set(["invoice", "number"]), label);
  }
});

test("compounds are split into known and unknown parts", () => {
  assert.deepEqual(said("Kündigungsfrist"), ["termination", "period"]);
  assert.deepEqual(said("Handelsrechnung").at(-1), "invoice");
  assert.deepEqual(said("Vertragslaufzeit"), ["contract", "period"]);
});

test("amounts with and without tax map to gross and net", () => {
  for (const label of ["Total incl. of GST", "Summe inkl. USt", "Total TTC", "Total incl. VAT"])
    assert.deepEqual(said(label), ["total", "gross"], label);
  for (const label of ["Total excluding VAT", "Summe ohne USt.", "Total HT", "Totaal excl. BTW"])
    assert.deepEqual(said(label), ["total", "net"], label);
  assert.deepEqual(said("GST included"), ["tax"]);
});
