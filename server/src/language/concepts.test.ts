import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { agreement, conceptsAskedBy, conceptsLabelledBy, greatestOf } from "./concepts.ts";
import { meaningOf } from "./meaning.ts";

const vectorOf = (text: string): Float32Array => {
  const vector = meaningOf(text);
  assert.ok(vector, text);
  return vector;
};
const agreementOf = (asked: string, label: string): number =>
  agreement(conceptsAskedBy(vectorOf(asked)), conceptsLabelledBy(vectorOf(label)));

test("a question agrees with the label of its concept, even without a common word and across languages", () => {
  for (const [asked, right, wrong] of [
    ["when the money has to arrive", "Fällig am", "Rechnungsdatum"],
    ["who gets the salary", "Employee name", "Employer"],
    ["what the client must pay in total", "Montant TTC", "Montant HT"],
  ] as const)
    assert.ok(agreementOf(asked, right) > agreementOf(asked, wrong), asked);
});

test("agreement is between 0 and 1", () => {
  for (const [asked, label] of [
    ["due date", "due date"],
    ["due date", "blood pressure"],
    ["", "x"],
  ] as const) {
    const [question, printed] = [meaningOf(asked), meaningOf(label)];
    if (!question || !printed) continue;
    const value = agreement(conceptsAskedBy(question), conceptsLabelledBy(printed));
    assert.ok(value >= 0 && value <= 1 + 1e-6, `${asked}, ${label}: ${value}`);
  }
});

test("the probabilities of the concepts of a label add up to one", () => {
  const sum = conceptsLabelledBy(vectorOf("Invoice number")).reduce((all, each) => all + each, 0);
  assert.ok(Math.abs(sum - 1) < 1e-3);
});

test("the greatest values are those that a stable sort puts first", () => {
  const values = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 20 }), (all, count) => {
      const sorted = [...all.keys()].sort((a, b) => (all[b] ?? 0) - (all[a] ?? 0)).slice(0, count);
      assert.deepEqual(greatestOf(Float32Array.from(all), count), sorted);
    }),
  );
});
