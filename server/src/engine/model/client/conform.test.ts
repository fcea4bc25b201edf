import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import fc from "fast-check";
import { conform, type JsonSchema } from "./conform.ts";

const leaf: JsonSchema = {
  type: "object",
  properties: {
    value: { type: ["number", "null"] },
    quote: { type: ["string", "null"], maxLength: 5 },
    page: { type: "integer", minimum: 1 },
  },
  required: ["value", "quote"],
  additionalProperties: false,
};
const schema: JsonSchema = {
  type: "object",
  properties: {
    total: { $ref: "#/$defs/leaf" },
    kind: { enum: ["invoice", "receipt"] },
    lines: { type: "array", maxItems: 2, items: { anyOf: [{ $ref: "#/$defs/leaf" }, { type: "null" }] } },
  },
  required: ["total", "lines"],
  additionalProperties: false,
  $defs: { leaf },
};

test("members that the schema does not allow are dropped, at every depth", () => {
  const value = {
    total: { value: 1, quote: "1", why: "so" },
    lines: [{ value: 2, quote: "2", sql: "drop" }, null],
    note: "hi",
  };
  assert.deepEqual(conform(schema, value), {
    value: { total: { value: 1, quote: "1" }, lines: [{ value: 2, quote: "2" }, null] },
    problems: [],
  });
});

for (const [value, problem] of [
  [{ lines: [] }, "/total is required"],
  [{ total: null, lines: [] }, "/total must be of type object"],
  [{ total: { value: "119", quote: "x" }, lines: [] }, "/total/value must be of type number or null"],
  [{ total: { value: 1, quote: "secret" }, lines: [] }, "/total/quote must have at most 5 characters"],
  [{ total: { value: 1, quote: "x", page: 0 }, lines: [] }, "/total/page must have at least 1 in amount"],
  [{ total: { value: 1, quote: "x", page: 1.5 }, lines: [] }, "/total/page must be of type integer"],
  [{ total: { value: 1, quote: "x" }, kind: "order", lines: [] }, '/kind must be one of ["invoice","receipt"]'],
  [{ total: { value: 1, quote: "x" }, lines: [null, null, null] }, "/lines must have at most 2 items"],
  [{ total: { value: 1, quote: "x" }, lines: [{ value: 1 }] }, "/lines/0/quote is required"],
  [{ total: { value: 1, quote: "x" }, lines: [7] }, "/lines/0 matches none of the allowed schemas"],
  [[], "the value must be of type object"],
] as [unknown, string][])
  test(problem, () => assert.deepEqual(conform(schema, value).problems, [problem]));

test("a schema keyword that is not supported throws", () => {
  assert.throws(() => conform({ type: "string", pattern: "a" } as JsonSchema, "b"), /pattern/);
  assert.throws(() => conform({ $ref: "#/$defs/none" }, 1), /none/);
});

test("a number beyond the range of numbers is a problem", () => {
  const numbers: JsonSchema = { type: "array", items: { type: "number" } };
  const problems = ["/1 must be of type number", "/2 must be of type number"];
  assert.deepEqual(conform(numbers, JSON.parse("[1e308, 1e309, -1e999]")).problems, problems);
});

test("inherited property names are treated like any other name", () => {
  const odd: JsonSchema = {
    type: "object",
    properties: Object.fromEntries([
      ["__proto__", { type: "string" }],
      ["constructor", { type: "number" }],
    ]),
    required: ["__proto__", "constructor"],
    additionalProperties: false,
  };
  assert.deepEqual(conform(odd, {}).problems, ["/__proto__ is required", "/constructor is required"]);
  const value: unknown = JSON.parse('{"__proto__": "a", "constructor": 1, "toString": 2}');
  assert.equal(JSON.stringify(conform(odd, value).value), '{"__proto__":"a","constructor":1}');
});

test("a value is accepted exactly if a JSON Schema validator accepts it without its extra members", () => {
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
  const leaves = fc.record({
    value: fc.option(fc.oneof(fc.double(), fc.string())),
    quote: fc.option(fc.string({ maxLength: 6 })),
  });
  const values = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        total: leaves,
        lines: fc.array(fc.option(leaves), { maxLength: 3 }),
        kind: fc.constantFrom("invoice", "other"),
        note: fc.string(),
      },
      { requiredKeys: ["total"] },
    ),
  );
  fc.assert(
    fc.property(values, (value) => {
      const conformed = conform(schema, value);
      assert.equal(conformed.problems.length === 0, validate(conformed.value), JSON.stringify(conformed));
    }),
    { numRuns: 500 },
  );
});
