import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { readAskedFields } from "../labels/asked-fields.ts";
import { statementsIn } from "./yes-no-clauses.ts";

const [compliant, renewal] = readAskedFields([
  { name: "compliant", format: "boolean", description: "Does the sample comply with all limits?" },
  { name: "renewal_option", format: "boolean", description: "May the tenant renew?" },
]);
const said = (query: typeof compliant, text: string): boolean[] =>
  query ? [...statementsIn(query, text)].map((statement) => statement.value) : [];

test("a sentence that states or denies the field gives true or false", () => {
  assert.deepEqual(said(compliant, "Opinion: The sample complies with the regulations."), [true]);
  assert.deepEqual(said(compliant, "The sample does not comply with the regulations."), [false]);
  assert.deepEqual(said(compliant, "Die Probe entspricht nicht den Grenzwerten."), [false]);
});

test("a denial of something else in the sentence doesn't count", () => {
  const text = "Tenant has one option to extend the term, by written notice not later than in May. No pets.";
  assert.deepEqual(said(renewal, text), [true]);
});

test("a question and a single word give no value", () => {
  assert.deepEqual(said(compliant, "Does the sample comply?"), []);
  assert.deepEqual(said(compliant, "Please comply with our house rules."), []);
});

test("any text is read without an error", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (text) => {
      for (const { start, end } of compliant ? statementsIn(compliant, text) : [])
        assert.ok(start <= end && end <= text.length);
    }),
  );
});
