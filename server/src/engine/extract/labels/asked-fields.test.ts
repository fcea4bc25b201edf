import assert from "node:assert/strict";
import test from "node:test";
import type { ParamFormat } from "@sheaf/contract/params.ts";
import { readAskedFields } from "./asked-fields.ts";

const read = (name: string, format: ParamFormat, description = "") => {
  const [query] = readAskedFields([{ name, format, description }]);
  assert.ok(query);
  return query;
};
const conceptOf = (name: string, format: ParamFormat, description = ""): string | undefined =>
  read(name, format, description).concept?.key;

test("names in several languages and styles mean the same concept", () => {
  assert.equal(conceptOf("invoiceNumber", "text"), "invoice_number");
  assert.equal(conceptOf("Rechnungsnummer", "text"), "invoice_number");
  assert.equal(conceptOf("numéro de facture", "text"), "invoice_number");
  assert.equal(conceptOf("Fälligkeitsdatum", "date"), "due_date");
  assert.equal(conceptOf("USt-IdNr. des Verkäufers", "text"), "seller_vat_id");
  assert.equal(conceptOf("montant TTC", "number"), "gross_total");
  assert.equal(conceptOf("amount_due", "number"), "amount_due");
});

test("the description resolves a short name", () => {
  assert.equal(conceptOf("amount", "number", "Total amount without tax"), "net_total");
  assert.equal(conceptOf("amount", "number", "Total amount including tax"), "gross_total");
  assert.equal(conceptOf("field_7", "date", "Due date"), "due_date");
});

test("a specific name outweighs a concept in the description", () => {
  assert.equal(conceptOf("audit_from", "date", "First day of the audit (start date of the contract)"), undefined);
});

test("allowed values and the wish for no spaces are read from a description", () => {
  assert.deepEqual(read("state", "text", "One of: open, paid or overdue").allowed, ["open", "paid", "overdue"]);
  assert.equal(read("iban", "text", "IBAN without spaces").withoutSpaces, true);
});

test("a description says whether a deduction is asked for with its sign", () => {
  const signOf = (description: string): number => read("reduction", "number", description).sign;
  assert.equal(signOf("what we took off the rent (positive)"), 1);
  assert.equal(signOf("Abzug, ohne Vorzeichen"), 1);
  assert.equal(signOf("montant déduit (sans le signe)"), 1);
  assert.equal(signOf("result of the year, minus if a loss"), -1);
  assert.equal(signOf("Saldo mit Vorzeichen"), -1);
  assert.equal(signOf("amount of the discount"), 0);
});

test("labels of another concept count little", () => {
  const query = read("issue_date", "date");
  assert.ok(query.score("Invoice date:") > 0.9);
  assert.ok(query.score("Delivery date:") < 0.3);
  assert.ok(query.score("Date d'échéance :") < 0.3);
});

test("a field outside of the lexicon is found by its own words", () => {
  const query = read("Zählerstand", "number");
  assert.ok(query.score("Zählerstand:") > 0.9);
  assert.equal(query.score("Temperatur:"), 0);
});
