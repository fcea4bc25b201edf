import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { agentParamRules, type ExtractionParam, paramIssues, requestParamRules } from "./params.ts";

const text = { name: "total", format: "text", description: "The total" };
const param = (name: string, items?: unknown) => ({
  name,
  format: items === undefined ? "text" : "list",
  description: "",
  ...(items === undefined ? {} : { items }),
});

/** Returns lists nested in lists, `depth` params deep. */
function nested(depth: number): unknown {
  let value: unknown = param("leaf");
  for (let level = 1; level < depth; level++) value = param("list", [value]);
  return value;
}

describe("params of a request", () => {
  const issues = (params: unknown) => paramIssues(params, requestParamRules);

  test("a flat schema with every format but list is valid", () => {
    const params = ["text", "number", "boolean", "date"].map((format) => ({ ...text, name: format, format }));
    assert.deepEqual(issues(params), []);
  });

  test("an empty items array is valid on a field that is not a list", () => {
    assert.deepEqual(issues([{ ...text, items: [] }]), []);
  });

  test("unknown keys are ignored", () => {
    assert.deepEqual(issues([{ ...text, required: true }]), []);
  });

  test("each issue has the path of the invalid value", () => {
    const params = [
      { name: "", format: "text", description: "" },
      { name: "a", format: "money", description: "" },
      { name: "b", format: "text" },
      { name: "c", format: "list", description: "", items: [] },
      { name: "d", format: "list", description: "" },
      { name: "e", format: "text", description: "", items: [text] },
      { name: "f", format: "list", description: "", items: [{ ...text, description: 3 }] },
      "g",
    ];
    assert.deepEqual(issues(params), [
      { path: "/params/0/name", message: "must not be empty" },
      { path: "/params/1/format", message: "must be one of text, number, boolean, date, list" },
      { path: "/params/2/description", message: "is required" },
      { path: "/params/3/items", message: "must not be empty: a list has items" },
      { path: "/params/4/items", message: "is required" },
      { path: "/params/5/items", message: "must be empty: only a list has items" },
      { path: "/params/6/items/0/description", message: "must be a string" },
      { path: "/params/7", message: "must be an object" },
    ]);
  });

  test("an empty array and any other type are issues", () => {
    assert.deepEqual(issues([]), [{ path: "/params", message: "must not be empty" }]);
    for (const params of [undefined, null, {}, "text", 3])
      assert.deepEqual(issues(params), [{ path: "/params", message: "must be an array" }]);
  });

  test("names must be unique among siblings only", () => {
    const repeated = [param("a"), param("a")];
    assert.deepEqual(issues(repeated), [{ path: "/params/1/name", message: "must be unique among its siblings" }]);
    assert.deepEqual(issues([param("a"), param("b", [param("a")])]), []);
  });

  test("a name has 1 to 100 characters, however many UTF-16 units they take", () => {
    assert.deepEqual(issues([param("😀".repeat(100))]), []);
    assert.deepEqual(issues([param("😀".repeat(101))]), [
      { path: "/params/0/name", message: "must have at most 100 characters" },
    ]);
  });

  test("__proto__, NUL and half of a surrogate pair are invalid names", () => {
    for (const name of ["__proto__", "a\0", "\ud83d"]) assert.equal(issues([param(name)]).length, 1, name);
  });

  test("five levels are allowed, six are not", () => {
    assert.deepEqual(issues([nested(5)]), []);
    assert.deepEqual(issues([nested(6)]), [
      { path: "/params/0/items/0/items/0/items/0/items/0/items", message: "must not nest deeper than 5 levels" },
    ]);
  });

  test("500 params in all are allowed, 501 are not", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => param(`p${index}`));
    assert.deepEqual(issues(many(500)), []);
    assert.deepEqual(issues([param("list", many(499))]), []);
    assert.deepEqual(issues(many(501)), [{ path: "/params", message: "has more than 500 params in total" }]);
    assert.deepEqual(issues([param("list", many(500))]), [
      { path: "/params/0/items", message: "has more than 500 params in total" },
    ]);
  });

  test("a million invalid params are reported with only 20 issues", () => {
    assert.equal(issues(Array.from({ length: 1_000_000 }, () => 0)).length, 20);
  });

  test("100,000 levels do not overflow the stack", () => {
    assert.equal(issues([nested(100_000)]).length, 1);
  });
});

describe("params of an agent", () => {
  const issues = (params: unknown) => paramIssues(params, agentParamRules, "/configuration/params");

  test("items are required on every param", () => {
    assert.deepEqual(issues([{ ...text, items: [] }]), []);
    assert.deepEqual(issues([text]), [{ path: "/configuration/params/0/items", message: "is required" }]);
  });

  test("an empty array is valid", () => {
    assert.deepEqual(issues([]), []);
  });

  test("the format date is an issue", () => {
    assert.deepEqual(issues([{ ...text, format: "date", items: [] }]), [
      { path: "/configuration/params/0/format", message: "must be one of text, number, boolean, list" },
    ]);
  });

  test("an unknown key is an issue; the message does not repeat a long key", () => {
    const long = "k".repeat(10_000);
    assert.deepEqual(issues([{ ...text, items: [], "to/do~": 1, [long]: 2 }]), [
      { path: "/configuration/params/0/to~1do~0", message: "is not a known key" },
      { path: "/configuration/params/0", message: "has an unknown key" },
    ]);
  });
});

/** Generates params that follow every rule. */
const goodParams = fc
  .letrec<{ params: ExtractionParam[]; leaf: ExtractionParam; list: ExtractionParam }>((tie) => {
    const name = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 });
    const description = fc.string({ unit: "grapheme", maxLength: 50 });
    return {
      params: fc.uniqueArray(fc.oneof({ maxDepth: 3, depthIdentifier: "p" }, tie("leaf"), tie("list")), {
        selector: (item) => item.name,
        minLength: 1,
        maxLength: 4,
        depthIdentifier: "p",
      }),
      leaf: fc.record({ name, format: fc.constantFrom("text", "number", "boolean", "date"), description }),
      list: fc.record({ name, format: fc.constant("list" as const), description, items: tie("params") }),
    };
  })
  .params.filter((params) => depthOf(params) <= 5 && !JSON.stringify(params).includes("__proto__"));

function depthOf(params: readonly ExtractionParam[]): number {
  return Math.max(0, ...params.map(({ items }) => 1 + depthOf(items ?? [])));
}

test("generated valid params have no issues", () => {
  fc.assert(fc.property(goodParams, (params) => paramIssues(params, requestParamRules).length === 0));
});

test("validating any JSON never throws and returns a limited number of issues at existing paths", () => {
  const hostile = fc.oneof(
    fc.jsonValue({ maxDepth: 8 }),
    fc.array(fc.object({ key: fc.constantFrom("name", "format", "items") })),
  );
  fc.assert(
    fc.property(hostile, fc.constantFrom(requestParamRules, agentParamRules), (params, rules) => {
      const issues = paramIssues(params, rules, "/at");
      assert.ok(issues.length <= 20);
      for (const { path, message } of issues) {
        assert.match(path, /^\/at(\/|$)/);
        assert.ok(path.length + message.length < 300);
      }
    }),
  );
});
