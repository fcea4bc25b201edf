import assert from "node:assert/strict";
import test from "node:test";
import { readDollar } from "./dollar.ts";

test("a bare dollar sign denotes the currency of the document's country", () => {
  assert.equal(readDollar(["Total $12.00", "Austin, TX 78701"]), "USD");
  assert.equal(readDollar(["ABN 51 824 753 556", "Brisbane QLD 4001"]), "AUD");
  assert.equal(readDollar(["Toronto ON M5V 2T6", "HST 13%"]), "CAD");
  assert.equal(readDollar(["Nimbus Pte. Ltd.", "Singapore 048616"]), "SGD");
});

test("a currency code takes precedence over the country", () => {
  assert.equal(readDollar(["ABN 51 824 753 556", "All amounts in USD"]), "USD");
});
