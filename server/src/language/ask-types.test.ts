import assert from "node:assert/strict";
import test from "node:test";
import { askTypes, askTypesOf } from "./ask-types.ts";
import { meaningOf } from "./meaning.ts";

function typeOf(text: string): string | undefined {
  const vector = meaningOf(text);
  const types = vector && askTypesOf(vector).types;
  return types && askTypes[types.indexOf(Math.max(...types))];
}

test("a description asks for a type of value, in any of the languages", () => {
  assert.deepEqual(
    ["name of the doctor", "wie viel ist zu zahlen", "date de naissance", "numero di fattura"].map(typeOf),
    ["person", "amount", "date", "code"],
  );
});

test("the probabilities of the types add up to one", () => {
  const vector = meaningOf("who pays");
  assert.ok(vector);
  for (const values of Object.values(askTypesOf(vector)) as Float32Array[])
    assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) - 1) < 1e-5);
});
