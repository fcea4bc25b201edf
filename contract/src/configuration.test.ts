import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { configurationIssues } from "./configuration.ts";

describe("configuration of an extractor", () => {
  const issues = (configuration: unknown) => configurationIssues("EXTRACTOR", configuration);

  test("params are required, and every unknown key is an issue", () => {
    assert.deepEqual(issues({ params: [] }), []);
    assert.deepEqual(issues({ parms: [] }), [
      { path: "/configuration/parms", message: "is not a known key" },
      { path: "/configuration/params", message: "is required" },
    ]);
  });

  test("the params follow the rules of an agent", () => {
    const params = [{ name: "a", format: "date", description: "", items: [] }];
    assert.deepEqual(issues({ params }), [
      { path: "/configuration/params/0/format", message: "must be one of text, number, boolean, list" },
    ]);
  });

  test("a configuration that is not an object is an issue", () => {
    for (const configuration of [null, [], "x", 1, undefined])
      assert.deepEqual(issues(configuration), [{ path: "/configuration", message: "must be an object" }]);
  });
});

describe("configuration of a documentalist", () => {
  const issues = (configuration: unknown) => configurationIssues("DOCUMENTALIST", configuration);

  test("every field is optional", () => {
    assert.deepEqual(issues({}), []);
    assert.deepEqual(issues({ sourceVisibility: false }), []);
  });

  test("a consigne is a string, or an object with a string as its content; the object may have any other members", () => {
    const consignes = ["Be brief.", { content: "Cite.", id: 7, tags: ["a", { b: null }] }];
    assert.deepEqual(issues({ consignes, domains: ["law"], sourceVisibility: true }), []);
  });

  test("each issue has the path of the invalid value", () => {
    const configuration = {
      consignes: [3, {}, { content: 1 }, "x".repeat(4_001)],
      sourceVisibility: "yes",
      domains: {},
      params: [],
    };
    assert.deepEqual(issues(configuration), [
      { path: "/configuration/params", message: "is not a known key" },
      { path: "/configuration/consignes/0", message: "must be a string or an object with a string content" },
      { path: "/configuration/consignes/1", message: "content is required" },
      { path: "/configuration/consignes/2", message: "content must be a string" },
      { path: "/configuration/consignes/3", message: "must have at most 4000 characters" },
      { path: "/configuration/sourceVisibility", message: "must be true or false" },
      { path: "/configuration/domains", message: "must be an array" },
    ]);
  });

  test("100 consignes are allowed, 101 are not", () => {
    assert.deepEqual(issues({ consignes: Array(100).fill("x") }), []);
    assert.deepEqual(issues({ consignes: Array(101).fill("x") }), [
      { path: "/configuration/consignes", message: "must have at most 100 items" },
    ]);
  });

  test("the other members of a consigne are limited in number, text and depth", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`);
    const beside = [{ x: "y".repeat(4_001) }, Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, 1])), deep];
    for (const other of beside)
      assert.deepEqual(issues({ consignes: [{ content: "x", ...other }] }), [
        { path: "/configuration/consignes/0", message: "has too many or too large members in addition to its content" },
      ]);
  });

  test("text that a database cannot store is refused at every position", () => {
    for (const consigne of ["\0", { content: "\ud800" }, { content: "x", a: ["\0"] }, { content: "x", "\0": 1 }])
      assert.equal(issues({ consignes: [consigne] }).length, 1);
  });
});

test("validating any JSON never throws and returns at most 20 short issues", () => {
  const hostile = fc.oneof(
    fc.jsonValue({ maxDepth: 8 }),
    fc.record({
      consignes: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 120 })),
      params: fc.jsonValue(),
      corpora: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 30 })),
      domains: fc.jsonValue(),
    }),
    fc.dictionary(fc.string({ maxLength: 200 }), fc.jsonValue(), { maxKeys: 60 }),
  );
  fc.assert(
    fc.property(
      hostile,
      fc.constantFrom("EXTRACTOR" as const, "DOCUMENTALIST" as const, "PERSONAL" as const),
      (configuration, type) => {
        const issues = configurationIssues(type, configuration);
        assert.ok(issues.length <= 20);
        for (const { path, message } of issues) assert.ok(path.length + message.length < 300);
      },
    ),
  );
});
