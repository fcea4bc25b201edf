/** Tests the checks of field rules. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { limits } from "./limits.ts";
import { agentParamRules, paramIssues, requestParamRules } from "./params.ts";
import { patternProblem, patternSearch } from "./rule-patterns.ts";
import { ruleIssues } from "./rules.ts";

const lines = {
  name: "lines",
  format: "list",
  description: "",
  items: [
    { name: "label", format: "text", description: "" },
    { name: "amount", format: "number", description: "" },
  ],
} as const;

const pathsOf = (rules: unknown, format: "text" | "number" | "date" | "list" | "boolean") =>
  ruleIssues(rules, format, [lines], "").map(({ path }) => path);

describe("rules of a field", () => {
  test("rules that fit the format are accepted", () => {
    assert.deepEqual(pathsOf({ required: true, pattern: "^DE\\d{9}$", one_of: ["a"] }, "text"), []);
    assert.deepEqual(pathsOf({ minimum: 0, maximum: 10.5, sum_of: "/lines/amount" }, "number"), []);
    assert.deepEqual(pathsOf({ minimum: "2024-02-29", maximum: "2026-01-01" }, "date"), []);
    assert.deepEqual(pathsOf({ required: true }, "list"), []);
  });

  test("each mistake is reported at the path of its rule", () => {
    assert.deepEqual(pathsOf({ minimum: 1 }, "text"), ["/minimum"]);
    assert.deepEqual(pathsOf({ pattern: "a" }, "number"), ["/pattern"]);
    assert.deepEqual(pathsOf({ minimum: "2025-02-29" }, "date"), ["/minimum"]);
    assert.deepEqual(pathsOf({ minimum: 3, maximum: 2 }, "number"), ["/minimum"]);
    assert.deepEqual(pathsOf({ required: "yes", one_of: [] }, "text"), ["/required", "/one_of"]);
    assert.deepEqual(pathsOf({ minimum: Number.NaN }, "number"), ["/minimum"]);
    assert.deepEqual(pathsOf({ other: 1 }, "text"), ["/other"]);
    assert.deepEqual(pathsOf("required", "text"), [""]);
    for (const sum of ["/lines", "/other/amount", "/lines/label", "lines/amount", "/lines/amount/0", 3])
      assert.deepEqual(pathsOf({ sum_of: sum }, "number"), ["/sum_of"], String(sum));
  });

  test("params of requests and agents may have rules", () => {
    const params = [{ name: "total", format: "number", description: "", rules: { sum_of: "/lines/amount" } }, lines];
    assert.deepEqual(paramIssues(params, requestParamRules), []);
    const withItems = params.map((each) => ({
      ...each,
      items: "items" in each ? lines.items.map((item) => ({ ...item, items: [] })) : [],
    }));
    assert.deepEqual(paramIssues(withItems, agentParamRules), []);
    const broken = [{ name: "total", format: "number", description: "", rules: { sum_of: "/lines/amount" } }];
    assert.deepEqual(
      paramIssues(broken, requestParamRules).map(({ path }) => path),
      ["/params/0/rules/sum_of"],
    );
  });

  test("the number of patterns is limited", () => {
    const params = Array.from({ length: limits.maxRulePatterns + 1 }, (_, index) => ({
      name: `f${index}`,
      format: "text",
      description: "",
      rules: { pattern: "a" },
    }));
    assert.deepEqual(
      paramIssues(params, requestParamRules).map(({ path }) => path),
      [`/params/${limits.maxRulePatterns}/rules/pattern`],
    );
  });

  test("checking never throws, whatever the value", () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom("text", "number", "date", "boolean", "list"), (value, format) => {
        const issues = ruleIssues(value, format as "text", [lines, null, 3], "/rules");
        assert.ok(issues.every(({ path }) => path.startsWith("/rules")));
      }),
    );
  });
});

describe("patterns", () => {
  test("large repetitions are refused before they are compiled", () => {
    for (const pattern of ["a{101}", "(a{2}){2}", "((a|b){30}c){30}", "(?:x(y{3})z){4}", "a{3,1000}"])
      assert.match(patternProblem(pattern) ?? "", /must not repeat/, pattern);
    for (const pattern of ["[A-Z]{2}\\d{2}[A-Z\\d]{11,30}", "(ab){3}", "\\({3}", "[{]{2}", "a{2}b{3}(c){4}", "a{,3}"])
      assert.equal(patternProblem(pattern), undefined, pattern);
  });

  test("syntax that RE2 does not support is refused", () => {
    for (const pattern of ["", "(", "(?=a)", "\\1(a)", "a**", "[z-a]"]) assert.ok(patternProblem(pattern), pattern);
  });

  test("a pattern is found anywhere in the text", () => {
    assert.equal(patternSearch("\\d{4}")("No. 2041"), true);
    assert.equal(patternSearch("^\\d{4}$")("No. 2041"), false);
  });

  test("every text is either accepted as a pattern or has a problem", () => {
    const characters = fc.constantFrom(..."ab(){}[]|?*+^$\\.,-:0123dpL<>P ");
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 40 }), (parts) => {
        const pattern = parts.join("");
        if (patternProblem(pattern) === undefined) patternSearch(pattern)("aab 12 {x}");
      }),
    );
  });
});
