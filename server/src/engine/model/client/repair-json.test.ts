import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readJson } from "./repair-json.ts";

for (const [text, value] of [
  ['{"a": 1}', { a: 1 }],
  ['\uFEFF  {"a": 1}\n', { a: 1 }],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ["Sure!\n```\n[1, 2]\n```\nThat is all.", [1, 2]],
  ['```json\n{"a": [1, 2', { a: [1] }],
  ['{"a": 1, "b": [1, 2,], }', { a: 1, b: [1, 2] }],
  ['As {you} see [here]: {"a": "}"} and {"b": 2}', { a: "}" }],
  ['{"a": "x", "b": "cut of', { a: "x" }],
  ['{"a": "x", "b"', { a: "x" }],
  ['{"a": "x", "b": 12', { a: "x" }],
  ['{"a": "x", "b": {"c": true', { a: "x", b: {} }],
  ['{"a": "x", "lines": [{"n": 1}, {"n": 2', { a: "x", lines: [{ n: 1 }, {}] }],
  ['{"a": "say \\"}\\" or ]", "b": 2,}', { a: 'say "}" or ]', b: 2 }],
  ['{"__proto__": {"x": 1}, "a": 1,}', JSON.parse('{"__proto__": {"x": 1}, "a": 1}')],
] as [string, unknown][])
  test(`${text} is read`, () => assert.deepEqual(readJson(text)?.value, value));

for (const text of ["", "I am sorry.", "{", "} {", "{]}", "[}"])
  test(`${JSON.stringify(text)} yields at most an empty value`, () =>
    assert.ok([undefined, "{}", "[]"].includes(JSON.stringify(readJson(text)?.value))));

test("a truncated value is read up to 100 levels of nesting", () => {
  assert.equal(JSON.stringify(readJson("[".repeat(100))?.value), "[".repeat(100) + "]".repeat(100));
  assert.equal(readJson("[".repeat(200)), undefined);
});

const objects = fc.dictionary(fc.string(), fc.jsonValue());

test("valid JSON is unchanged, even with prose or a code fence around it", () => {
  fc.assert(
    fc.property(objects, fc.constantFrom("", "Here it is: ", "```json\n"), (value, before) => {
      const text = JSON.stringify(value, undefined, 2);
      const read = readJson(`${before}${text}${before === "```json\n" ? "\n```" : before && "\nAnything else?"}`);
      assert.deepEqual(read?.value, JSON.parse(text));
    }),
  );
});

/** Returns true if `whole` contains everything in `part`, unchanged. */
function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part !== "object" || part === null || typeof whole !== "object" || whole === null) return part === whole;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && isPart(value, Reflect.get(whole, key)),
  );
}

test("truncated JSON yields only content of the whole JSON", () => {
  fc.assert(
    fc.property(objects, fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const whole: unknown = JSON.parse(text);
      const read = readJson(text.slice(0, at % text.length));
      assert.ok(read === undefined || (read.cut && isPart(read.value, whole)), JSON.stringify(read));
    }),
    { numRuns: 1_000 },
  );
});

test("any text is read or rejected quickly", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => void readJson(text)));
  const started = process.cpuUsage();
  for (const text of [
    "[".repeat(4 << 20),
    "{x ".repeat(1 << 20),
    "[".repeat(100) + "1,".repeat(100_000),
    '{"a":'.repeat(50_000),
    `[${"1,".repeat(300_000)}`,
    `[${"[],".repeat(200_000)}]`,
  ])
    readJson(text);
  assert.ok(process.cpuUsage(started).user < 10_000_000);
});
