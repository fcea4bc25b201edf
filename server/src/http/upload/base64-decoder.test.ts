import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Base64Decoder } from "./base64-decoder.ts";

const alphabet = /[A-Za-z0-9+/]/;

/** Maximum size of a chunk read from a socket, in bytes. */
const chunkSize = 65_536;

/**
 * Feeds text to the decoder as the scanner does: long runs to `decodeText`, then short runs to
 * `decodeRun`, then single characters.
 */
function decode(text: string, cuts: readonly number[] = [], long = true): Buffer {
  const decoder = new Base64Decoder();
  const output: Buffer[] = [];
  const bytes = Buffer.from(text, "latin1");
  let start = 0;
  for (const end of [...cuts, text.length]) {
    while (start < end) {
      if (decoder.full) output.push(Buffer.from(decoder.takeOutput()));
      start += decodeSome(decoder, bytes.subarray(start, Math.min(end, start + chunkSize)), long);
    }
  }
  decoder.finish();
  return Buffer.concat([...output, decoder.takeOutput()]);
}

function decodeSome(decoder: Base64Decoder, chunk: Buffer, long: boolean): number {
  const text = chunk.toString("latin1", 0, decoder.room);
  if (long && decoder.decodeText(text)) return text.length;
  const run = decoder.decodeRun(chunk, 0);
  if (run > 0) return run;
  decoder.accept(chunk[0] as number);
  return 1;
}

test("decodes what Node encodes, wherever the text is cut", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 3000 }),
      fc.array(fc.nat(4000), { maxLength: 5 }),
      (bytes, cuts) => {
        const text = Buffer.from(bytes).toString("base64");
        const inside = cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b);
        assert.deepEqual(decode(text, inside), Buffer.from(bytes));
        assert.deepEqual(decode(text, inside, false), Buffer.from(bytes));
      },
    ),
  );
});

test("decodes texts longer than its output buffer", () => {
  const bytes = Buffer.alloc(1_000_001, "some bytes that aren't all alike ");
  assert.deepEqual(decode(bytes.toString("base64")), bytes);
  assert.deepEqual(decode(bytes.toString("base64").replace(/.{76}/g, "$&\r\n")), bytes);
});

test("refuses bytes outside the alphabet at each position of a group, in short and long texts", () => {
  for (const length of [8, 4096]) {
    for (let byte = 0; byte < 256; byte++) {
      for (let place = 0; place < 4; place++) {
        const character = String.fromCharCode(byte);
        if (/[\t\n\r ]/.test(character)) continue;
        const at = length / 2 - 4 + place;
        const text = "A".repeat(at) + character + "A".repeat(length - at - 1);
        if (alphabet.test(character)) assert.deepEqual(decode(text), Buffer.from(text, "base64"));
        else assert.throws(() => decode(text), { code: "invalid_request" }, `byte ${byte} at ${at}`);
      }
    }
  }
});

test("skips white space anywhere, also between and after the padding", () => {
  for (const text of ["aGk=", " a\tG\nk\r=", "a Gk =", "aGk= \r\n", "a\r\nGk="])
    assert.equal(decode(text).toString(), "hi");
  assert.equal(decode("aA = = ").toString(), "h");
  for (const character of "\f\v\0\u00a0") assert.throws(() => decode(`aG${character}k=`), { code: "invalid_request" });
});

test("refuses wrong padding", () => {
  const wrong = [
    "a",
    "aG",
    "aGk",
    "a===",
    "=",
    "====",
    "aGk==",
    "aA=",
    "aA===",
    "aGkh=",
    "aG=k",
    "aGk=aGk=",
    "aA==aA==",
    "aGk=a",
  ];
  for (const text of wrong) assert.throws(() => decode(text), { code: "invalid_request" }, text);
});

test("refuses non-zero bits that the padding drops", () => {
  for (const text of ["aGl=", "aB==", "//=="]) assert.throws(() => decode(text), { code: "invalid_request" }, text);
  for (const text of ["aGk=", "aA==", "/w=="]) assert.doesNotThrow(() => decode(text), text);
});

test("refuses a text without base64 characters", () => {
  for (const text of ["", " \r\n"]) assert.throws(() => decode(text), { code: "invalid_request" });
});
