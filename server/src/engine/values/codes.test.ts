import assert from "node:assert/strict";
import test from "node:test";
import { findBics, findEmails, findIbans, findIdentifiers, findVatNumbers, isIban } from "./codes.ts";

const texts = (found: readonly { text: string }[]): string[] => found.map((one) => one.text);

test("an IBAN ends at the word that makes its check digits valid", () => {
  assert.equal(isIban("DE89 3704 0044 0532 0130 00"), true);
  assert.equal(isIban("DE89 3704 0044 0532 0130 01"), false);
  assert.deepEqual(texts(findIbans("IBAN: DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX")), [
    "DE89 3704 0044 0532 0130 00",
  ]);
  assert.deepEqual(texts(findIbans("GB82WEST12345698765432")), ["GB82WEST12345698765432"]);
});

test("VAT numbers must have the form of their country", () => {
  assert.deepEqual(texts(findVatNumbers("N° TVA : FR 32 123 456 789 RCS")), ["FR 32 123 456 789"]);
  assert.deepEqual(texts(findVatNumbers("ATU12345678, DE123456789")), ["ATU12345678", "DE123456789"]);
  assert.deepEqual(texts(findVatNumbers("DE 80333 München")), []);
});

test("identifiers are single words or groups of adjacent ones", () => {
  assert.deepEqual(texts(findIdentifiers("Rechnung # RE-20170509/505 von")), ["RE-20170509/505"]);
  assert.deepEqual(texts(findIdentifiers("Facture n°562044387 du")), ["562044387"]);
  assert.ok(texts(findIdentifiers("22 00 0 001 00001")).includes("22 00 0 001 00001"));
  assert.ok(texts(findIdentifiers("HRB 999999")).includes("HRB 999999"));
  assert.deepEqual(texts(findIdentifiers("no identifier here")), []);
});

test("email addresses and BICs are found", () => {
  assert.deepEqual(texts(findEmails("EMAIL : moi@seller.com, x")), ["moi@seller.com"]);
  assert.deepEqual(texts(findBics("BIC COBADEFFXXX")), ["COBADEFFXXX"]);
});
