import assert from "node:assert/strict";
import test from "node:test";
import { readDollar } from "./dollar.ts";

test("a dollar is of the country that the paper is of", () => {
  assert.equal(readDollar(["Total $12.00", "Austin, TX 78701"]), "USD");
  assert.equal(readDollar(["ABN 51 824 753 556", "Brisbane QLD 4001"]), "AUD");
  assert.equal(readDollar(["Toronto ON M5V 2T6", "HST 13%"]), "CAD");
  assert.equal(readDollar(["Nimbus Pte. Ltd.", "Singapore 048616"]), "SGD");
});

test("a written code decides", () => {
  assert.equal(readDollar(["ABN 51 824 753 556", "All amounts in USD"]), "USD");
});
