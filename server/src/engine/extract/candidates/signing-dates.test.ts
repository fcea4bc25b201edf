import assert from "node:assert/strict";
import test from "node:test";
import type { Document } from "../../../reading/document.ts";
import type { Value } from "../../engine.ts";
import { documentOf } from "../../testing/document-builder.ts";
import { extractBuiltin } from "../extract-fields.ts";

const signed = (document: Document): Value =>
  extractBuiltin({ document, params: [{ name: "signed_on", format: "date", description: "Date of signature" }] }).data
    .signed_on ?? null;

test("the date beside a signature is the signing date", () => {
  assert.equal(
    signed(documentOf([["Birth date: 3 May 1990"], ["Signature: J. Doe", "Date: 4 June 2025"]])),
    "2025-06-04",
  );
});

test("the date above the caption of a signature line is the signing date", () => {
  assert.equal(
    signed(documentOf([["Beginn: 01.03.2025"], ["Husum, 19.02.2025", "T. Muster"], ["Ort, Datum", "Unterschrift"]])),
    "2025-02-19",
  );
});

test("without a signature there is no signing date", () => {
  const note = documentOf([["Delivery note 4711"], ["Ordered on 20.02.2025"], ["Delivered on 01.03.2025"]]);
  assert.equal(signed(note), null);
});

test("a signature placeholder is not a signature", () => {
  const isSigned = (line: string): Value =>
    extractBuiltin({
      document: documentOf([["Rental agreement"], [line]]),
      params: [{ name: "signed", format: "boolean", description: "Whether the contract is signed" }],
    }).data.signed ?? null;
  for (const place of ["Signature", "Authorized signature", "Signature of the tenant", "Unterschrift des Mieters"])
    assert.equal(isSigned(place), null, place);
  for (const statement of ["Signed", "The contract is signed.", "Unterschrieben"])
    assert.equal(isSigned(statement), true, statement);
});
