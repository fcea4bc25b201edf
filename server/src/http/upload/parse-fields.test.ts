import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseFields } from "./parse-fields.ts";
import { issuesOf } from "./testing/receive.ts";

function refusal(text: string | Buffer): string {
  try {
    parseFields(Buffer.from(text as string));
  } catch (error) {
    const [issue] = issuesOf(error);
    return `${issue?.path} ${issue?.message}`;
  }
  return "accepted";
}

test("returns what JSON.parse returns, in objects without a prototype", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ stringUnit: "grapheme" })), (fields) => {
      const text = JSON.stringify(fields);
      const parsed = parseFields(Buffer.from(text));
      assert.equal(JSON.stringify(parsed), JSON.stringify(JSON.parse(text)));
      assert.equal(Object.getPrototypeOf(parsed), null);
    }),
  );
});

test("keeps the names of Object.prototype as plain members", () => {
  const parsed = parseFields(Buffer.from('{"__proto__":{"admin":true},"a":[{"constructor":1,"__proto__":null}]}'));
  assert.deepEqual(Object.keys(parsed), ["__proto__", "a"]);
  assert.equal(parsed.admin, undefined);
  assert.equal(parsed.toString, undefined);
  const [nested] = parsed.a as Record<string, unknown>[];
  assert.deepEqual(Object.entries(nested ?? {}), [
    ["constructor", 1],
    ["__proto__", null],
  ]);
  assert.equal(({} as Record<string, unknown>).admin, undefined);
});

test("names the key that an object contains twice", () => {
  assert.equal(refusal('{"a":1,"a":1}'), "/a is given twice");
  assert.equal(refusal('{"a":1,"\\u0061":1}'), "/a is given twice");
  assert.equal(refusal('{"__proto__":1,"__proto__":1}'), "/__proto__ is given twice");
  assert.equal(
    refusal('{"params":[{"n":"[{,:\\"","items":[]},{"n":1,"items":[0,[1],{"x":{}, "x" : {}}]}]}'),
    "/params/1/items/2/x is given twice",
  );
  assert.equal(refusal('{"~/":{"":0,"":0}}'), "/~0~1/ is given twice");
  assert.equal(refusal('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"":""}'), "accepted");
  assert.equal(refusal('{"a\\\\":":{","b":"a\\\\","c":"\\"a\\":"}'), "accepted");
});

test("refuses half surrogate pairs in values and keys", () => {
  assert.equal(refusal('{"a":["\\ud83d\\ude00","\\ud83d"]}'), "/a/1 contains an unpaired surrogate");
  assert.equal(refusal('{"a":{"\\ude00":1}}'), "/a contains an unpaired surrogate");
  assert.equal(refusal('{"a":"\\ud83d\\ude00"}'), "accepted");
});

test("refuses numbers out of range", () => {
  assert.equal(refusal('{"a":[0,-1e999]}'), "/a/1 is a number out of range");
  assert.equal(refusal('{"a":1e308,"b":1e-999,"c":-0}'), "accepted");
});

test("refuses invalid UTF-8 and invalid JSON", () => {
  assert.equal(refusal(Buffer.from([0x7b, 0x22, 0x61, 0xff, 0x22, 0x3a, 0x31, 0x7d])), " is not valid UTF-8");
  assert.equal(refusal(Buffer.from('{"a":"\u00e9"}', "latin1")), " is not valid UTF-8");
  const wrong = [
    "{",
    "{}}",
    "{} {}",
    "{'a':1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":NaN}',
    '{"a":"\n"}',
    '{"a":"\\x"}',
    "{a:1}",
    '{"a":1}//',
  ];
  for (const text of wrong) assert.equal(refusal(text), " is not valid JSON", text);
});

test("keeps the characters that JSON allows in strings", () => {
  const parsed = parseFields(Buffer.from('{"a":"\\u0000\u2028\ufeff\u{1f600}"}'));
  assert.equal(parsed.a, "\0\u2028\ufeff\u{1f600}");
});
