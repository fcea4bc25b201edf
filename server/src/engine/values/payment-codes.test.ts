import assert from "node:assert/strict";
import { test } from "node:test";
import { europeanPayload, swissLines } from "../../reading/testing/payment-payloads.ts";
import { isCreditorReference, isQrReference } from "./check-digits.ts";
import { paymentParts } from "./payment-codes.ts";

const valuesOf = (payload: string) =>
  paymentParts(payload)?.map(({ name, value, line, start, end }) => {
    assert.equal(
      payload.split("\n")[line]?.slice(start, end),
      name === "amount" ? String(value).replace(/\.3$/, ".30") : value,
    );
    return [name, value];
  });

test("the parts of a Swiss QR-bill are found by their lines", () => {
  assert.deepEqual(valuesOf(swissLines.join("\n")), [
    ["iban", "CH4431999123000889012"],
    ["payee", "Robert Schneider AG"],
    ["amount", 1949.75],
    ["currency", "CHF"],
    ["payer", "Pia-Maria Rutschmann-Schnyder"],
    ["reference", "210000000003139471430009017"],
    ["message", "Order of 15.06.2026"],
  ]);
});

test("the parts of an EPC code are found by their lines", () => {
  assert.deepEqual(valuesOf(europeanPayload), [
    ["iban", "DE71110220330123456789"],
    ["bic", "BHBLDEHHXXX"],
    ["payee", "Franz Mustermann"],
    ["amount", 12.3],
    ["currency", "EUR"],
    ["reference", "RF18539007547034"],
  ]);
});

test("other payloads, and incomplete ones, are no payment codes", () => {
  for (const payload of ["", "SPC", "https://example.com", "BEGIN:VCARD\nFN:Jane", swissLines.slice(0, 20).join("\n")])
    assert.equal(paymentParts(payload), undefined);
});

test("check digits of references", () => {
  assert.ok(isQrReference("21 00000 00003 13947 14300 09017") && !isQrReference("210000000003139471430009018"));
  assert.ok(!isQrReference("21000000000313947143000901"));
  assert.ok(isCreditorReference("RF18 5390 0754 7034") && !isCreditorReference("RF19539007547034"));
});
