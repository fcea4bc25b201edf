import assert from "node:assert/strict";
import { test } from "node:test";
import { findCurrencies } from "./currencies.ts";
import { readDollar } from "./dollar.ts";

const codesIn = (text: string): string[] => findCurrencies(text).map(({ code }) => code);

test("currencies are found by symbol, code and name", () => {
  assert.deepEqual(codesIn("Total €12.00, ~$14 or GBP 10"), ["EUR", "USD", "GBP"]);
  assert.deepEqual(codesIn("C$2 and A$3.50"), ["CAD", "AUD"]);
});

test("a cell reference and a list of symbols name no currency", () => {
  const places = ["=SUM($C$2:$C$9)", '!"£$%^&*()'];
  for (const text of places) assert.deepEqual(codesIn(text), [], text);
  assert.equal(readDollar([...places, "Total $12.00"]), "USD");
});
