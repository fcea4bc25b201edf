import assert from "node:assert/strict";
import test from "node:test";
import { askTypes } from "./ask-types.ts";
import { answersType, valueTypeFeatures, valueTypeRows, valueTypes, valueTypesOf } from "./value-types.ts";

function typeOf(text: string): string | undefined {
  const types = valueTypesOf(text);
  return valueTypes[types.indexOf(Math.max(...types))];
}

test("names, addresses and codes are told apart, in capitals too", () => {
  assert.deepEqual(
    [
      "Frau Sabine Hoffmeister",
      "QUINCY A. LINDHOLM",
      "Hoffmeister Metallbau GmbH",
      "14 rue des Tanneurs, 69007 Lyon",
      "sabine@hoffmeister.example",
      "12 March 2026",
      "1.204,50 €",
    ].map(typeOf),
    ["person", "person", "organisation", "address", "web", "date", "amount"],
  );
});

test("the probabilities add up to one for any text", () => {
  for (const text of ["", " ", "·", "a", "ß", "٣٤", "😀 😀", "x".repeat(5000), "Jane ".repeat(300)]) {
    const sum = valueTypesOf(text).reduce((total, each) => total + each, 0);
    assert.ok(Math.abs(sum - 1) < 1e-5, `${sum} for ${text.slice(0, 20)}`);
  }
});

test("features are rows of the table, and their number does not grow with the text", () => {
  const long = valueTypeFeatures("Wort ".repeat(1000));
  assert.ok(long.every((row) => row >= 0 && row < valueTypeRows));
  assert.ok(long.length < 300, String(long.length));
});

test("a person answers a field that asks for a person, and not one that asks for an amount", () => {
  const asking = (type: (typeof askTypes)[number]): Float32Array =>
    Float32Array.from(askTypes, (each) => Number(each === type));
  assert.ok(answersType(asking("person"), "Sabine Hoffmeister") > 0.7);
  assert.ok(answersType(asking("amount"), "Sabine Hoffmeister") < 0.05);
});
