import assert from "node:assert/strict";
import test from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { documentOf } from "../../testing/document-builder.ts";
import { extractBuiltin } from "../extract-fields.ts";

const field = (name: string, format: ExtractionParam["format"], description: string): ExtractionParam => ({
  name,
  format,
  description,
});

function confidencesOf(rows: string[][], ...params: ExtractionParam[]): { values: unknown[]; confidences: number[] } {
  const { data, evidence } = extractBuiltin({ document: documentOf(rows), params });
  const found = params.map(({ name }) => evidence[name]);
  return {
    values: params.map(({ name }) => data[name]),
    confidences: found.map((each) => (each && "confidence" in each ? (each.confidence as number) : 0)),
  };
}

test("a value in a sentence is found, with its own words as evidence", () => {
  const params = [
    field("notice", "number", "months of notice period"),
    field("begins", "date", "start of the employment"),
  ];
  const { data, evidence } = extractBuiltin({
    document: documentOf([
      ["Employment contract"],
      ["The employment begins on 1 March 2026 for an indefinite period."],
      ["The notice period is three months to the end of a calendar month."],
    ]),
    params,
  });
  assert.equal(data.begins, "2026-03-01");
  assert.equal(data.notice, 3);
  const { quote, match } = evidence.notice as { quote: string; match: string };
  assert.deepEqual([quote, match], ["three", "inferred"]);
});

test("confidence is the probability: a printed label gives more than a vague one", () => {
  const { values, confidences } = confidencesOf(
    [
      ["Policy number:", "BOP 883 2051"],
      ["Something", "77"],
    ],
    field("policy_number", "text", "Policy number"),
    field("pages", "number", "how many sheets were delivered"),
  );
  assert.equal(values[0], "BOP 883 2051");
  assert.ok((confidences[0] ?? 0) > (confidences[1] ?? 1), String(confidences));
});

test("a deduction is given with the sign that is asked for", () => {
  const rows = [
    ["Invoice", "2026-0417"],
    ["Cleaning of the offices", "1,200.00"],
    ["School discount", "-120.00"],
    ["Total", "1,080.00"],
  ];
  const asked = (description: string): unknown[] =>
    confidencesOf(rows, field("discount", "number", description)).values;
  assert.deepEqual(asked("school discount (as a positive number)"), [120]);
  assert.deepEqual(asked("school discount, with its sign"), [-120]);
});

test("a field takes no value whose label certainly names another concept", () => {
  const { values } = confidencesOf(
    [["Order number: 4711"]],
    field("customer_number", "text", "Number of the customer"),
  );
  assert.deepEqual(values, [null]);
});

test("three extractions are identical", () => {
  const rows = [["Rent per month", "770.00"], ["The deposit is two months' rent, 1,540.00 EUR."]];
  const params = [field("rent", "number", "what is paid every month"), field("deposit", "number", "security deposit")];
  const [first, ...others] = [1, 2, 3].map(() =>
    JSON.stringify(extractBuiltin({ document: documentOf(rows), params })),
  );
  for (const other of others) assert.equal(other, first);
});

test("if no value has the form of a field's concept, the concept may be wrong", () => {
  const rows = [["Work order 4471"], ["Site: Harbour Road 7, Hull"], ["Date: 3 March 2026"]];
  const { values } = confidencesOf(rows, field("site", "text", "Construction site where the work is done"));
  assert.match(String(values[0]), /^Harbour Road/);
  assert.deepEqual(confidencesOf(rows, field("phone", "text", "Telephone")).values, [null]);
});
