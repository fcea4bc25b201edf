import assert from "node:assert/strict";
import test from "node:test";
import { documentOf } from "../../testing/document-builder.ts";
import { extractBuiltin } from "../extract-fields.ts";

const params = [{ name: "total", format: "number" as const, description: "Total amount to pay" }];

const totalOf = (...rows: string[][]): unknown =>
  extractBuiltin({ document: documentOf([["Café Morgenrot"], ["2 Kännchen Kaffee", "9.80"], ...rows]), params }).data
    .total;

test("the total after rounding is taken, not the one before", () => {
  const rows = [
    ["Total sales incl. GST", "45.34"],
    ["Rounding", "0.01"],
    ["Rounded", "45.35"],
  ];
  assert.equal(totalOf(...rows), 45.35);
  assert.equal(totalOf(["Subtotal incl. GST", "12.61"], ["Rounding", "-0.01"], ["Total incl. GST", "12.60"]), 12.6);
});

test("the sum of tax, service and rounding is taken, even if an earlier amount is labelled a total", () => {
  const rows = [
    ["Total amount", "49.60"],
    ["Service charge 10%", "4.96"],
    ["GST 6%", "3.27"],
    ["Rounding adj", "-0.03"],
    ["Total amount", "57.80"],
  ];
  assert.equal(totalOf(...rows), 57.8);
  assert.equal(totalOf(["Gross amount", "47.80"], ["Levy", "2.87"], ["Tax", "2.86"], ["Net", "53.53"]), 53.53);
  assert.equal(totalOf(["Gross amount", "47.80"], ["Levy", "2.87"], ["Tax", "2.86"], ["Net", "53.55"]), 53.55);
});

test("a discount and an instalment below it leave the total as it is", () => {
  assert.equal(totalOf(["Total", "100.00"], ["Deposit", "-30.00"], ["Rest", "70.00"]), 100);
  assert.equal(totalOf(["Total", "100.00"], ["First instalment", "60.00"], ["Second instalment", "40.00"]), 100);
});

test("the total is the amount paid minus the change", () => {
  const paid = [
    ["Service (incl. tax)", "5.83"],
    ["Sum", "64.15"],
    ["Bar", "100.00"],
    ["Wechselgeld", "35.85"],
  ];
  assert.equal(totalOf(["Incl. tax", "5.83"], ...paid), 64.15);
});

test("without a total, the amount paid at once or due is taken", () => {
  assert.equal(totalOf(["Sum of goods", "7.40"], ["Cash", "7.40"], ["Change", "0.00"]), 7.4);
  assert.equal(totalOf(["Amt due", "129.30"]), 129.3);
});
