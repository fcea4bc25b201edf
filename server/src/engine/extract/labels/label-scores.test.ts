import assert from "node:assert/strict";
import { test } from "node:test";
import { readAskedFields } from "./asked-fields.ts";
import { hasWords } from "./label-scores.ts";
import { partyOfLabel } from "./party-headings.ts";

const scorerOf = (name: string, format: "date" | "number" | "text") => {
  const [field] = readAskedFields([{ name, format, description: "" }]);
  assert.ok(field);
  return field.score;
};

test("a label in another language names the field as well as its own name", () => {
  const score = scorerOf("due_date", "date");
  assert.ok(score("Due date:") > 0.8);
  assert.ok(score("Fällig am") > 0.8);
  assert.ok(score("Date d'échéance") > 0.8);
});

test("the label of another field of the same kind scores far lower", () => {
  const score = scorerOf("due_date", "date");
  assert.ok(score("Invoice date") < score("Due date") / 2);
});

test("a qualifier makes a label one of another field", () => {
  const score = scorerOf("balance", "number");
  assert.ok(score("Previous balance") < score("Balance"));
});

test("a label without a word of the field scores 0", () => {
  assert.equal(scorerOf("due_date", "date")("Telephone"), 0);
});

test("digits and marks alone are not a label", () => {
  assert.equal(hasWords("4711 / 2026"), false);
  assert.equal(hasWords("Invoice no. 4711"), true);
});

test("a heading names a party only if it contains no other words", () => {
  assert.equal(partyOfLabel("Bill to"), "buyer");
  assert.equal(partyOfLabel("Customer number"), undefined);
});
